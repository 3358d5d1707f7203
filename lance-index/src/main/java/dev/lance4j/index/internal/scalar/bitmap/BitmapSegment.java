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

/** An open bitmap index. */
final class BitmapSegment<S extends RowSet<S>> implements ScalarSegment<S> {
  private final BitmapTable<S> table;
  private final RowDomain<S> domain;

  private BitmapSegment(BitmapTable<S> table, RowDomain<S> domain) {
    this.table = table;
    this.domain = domain;
  }

  static <S extends RowSet<S>> BitmapSegment<S> open(
      SegmentFiles files, Field valueField, RowDomain<S> domain, BufferAllocator allocator) {
    LanceFileReader file = BitmapFile.open(files, valueField);
    boolean complete = false;
    try {
      BitmapTable<S> table = BitmapTable.read(files, file, valueField, domain, allocator);
      complete = true;
      return new BitmapSegment<>(table, domain);
    } finally {
      if (!complete) {
        file.close();
      }
    }
  }

  @Override
  public SegmentAnswer<S> search(ScalarQuery query, BufferAllocator allocator) {
    S nulls = table.nulls(allocator);
    return query instanceof ScalarQuery.IsNull
        ? new SegmentAnswer<>(Guarantee.EXACT, nulls, domain.empty())
        : new SegmentAnswer<>(Guarantee.EXACT, rows(query, allocator), nulls);
  }

  private S rows(ScalarQuery query, BufferAllocator allocator) {
    if (query instanceof ScalarQuery.Equals equals) {
      return table.equalTo(equals.value(), allocator);
    }
    if (query instanceof ScalarQuery.In in) {
      return table.in(in.values(), allocator);
    }
    if (query instanceof ScalarQuery.Range range) {
      return table.within(range, allocator);
    }
    throw new IllegalArgumentException("a bitmap index cannot answer " + query);
  }

  @Override
  public Map<String, Object> statistics() {
    return Map.of("num_bitmaps", table.size());
  }

  @Override
  public long memoryBytes() {
    return table.memoryBytes();
  }

  @Override
  public void close() {
    table.close();
  }
}
