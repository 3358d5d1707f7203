package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.LanceFileReader;
import dev.lance4j.index.internal.query.Guarantee;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.SegmentAnswer;
import dev.lance4j.index.internal.scalar.ScalarSegment;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** An open bitmap index: the keys are in memory, their rows are read when asked for. */
final class BitmapSegment<S extends RowSet<S>> implements ScalarSegment<S> {
  private final LanceFileReader file;
  private final RowDomain<S> domain;
  private final KeyDirectory keys;
  private final BitmapReader<S> bitmaps;

  private BitmapSegment(
      LanceFileReader file, RowDomain<S> domain, KeyDirectory keys, BitmapReader<S> bitmaps) {
    this.file = file;
    this.domain = domain;
    this.keys = keys;
    this.bitmaps = bitmaps;
  }

  static <S extends RowSet<S>> BitmapSegment<S> open(
      SegmentFiles files, Field valueField, RowDomain<S> domain, BufferAllocator allocator) {
    LanceFileReader file = BitmapFile.open(files, valueField);
    boolean complete = false;
    try {
      KeyDirectory keys = KeyDirectory.read(file, valueField, allocator);
      BitmapReader<S> bitmaps = new BitmapReader<>(files, file, domain);
      complete = true;
      return new BitmapSegment<>(file, domain, keys, bitmaps);
    } finally {
      if (!complete) {
        file.close();
      }
    }
  }

  @Override
  public SegmentAnswer<S> search(ScalarQuery query, BufferAllocator allocator) {
    S nulls = bitmaps.rows(keys.nulls(), allocator);
    if (query instanceof ScalarQuery.IsNull) {
      return new SegmentAnswer<>(Guarantee.EXACT, nulls, domain.empty());
    }
    S rows = bitmaps.rows(positions(query), allocator);
    return new SegmentAnswer<>(Guarantee.EXACT, rows, nulls);
  }

  private int[] positions(ScalarQuery query) {
    if (query instanceof ScalarQuery.Equals equals) {
      return keys.positions(equals.value());
    }
    if (query instanceof ScalarQuery.In in) {
      return keys.positions(in.values());
    }
    if (query instanceof ScalarQuery.Range range) {
      return keys.positions(range);
    }
    throw new IllegalArgumentException("a bitmap index cannot answer " + query);
  }

  @Override
  public Map<String, Object> statistics() {
    return Map.of("num_bitmaps", file.rowCount());
  }

  @Override
  public long memoryBytes() {
    return file.metadataBytes() + keys.memoryBytes();
  }

  @Override
  public void close() {
    file.close();
  }
}
