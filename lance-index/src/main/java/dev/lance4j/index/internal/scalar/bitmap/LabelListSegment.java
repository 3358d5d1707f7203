package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.LanceFileReader;
import dev.lance4j.index.internal.query.Guarantee;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.ScalarValue;
import dev.lance4j.index.internal.query.SegmentAnswer;
import dev.lance4j.index.internal.scalar.ScalarSegment;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** An open label list index: a bitmap index of items, and the rows whose list is null. */
final class LabelListSegment<S extends RowSet<S>> implements ScalarSegment<S> {
  private static final long SET_BYTES = 64;

  private final BitmapTable<S> table;
  private final Optional<S> nulls;
  private final RowDomain<S> domain;
  private final long nullBytes;

  private LabelListSegment(
      BitmapTable<S> table, Optional<S> nulls, RowDomain<S> domain, long nullBytes) {
    this.table = table;
    this.nulls = nulls;
    this.domain = domain;
    this.nullBytes = nullBytes;
  }

  /**
   * Opens a segment.
   *
   * @param knowsNulls whether it says which lists are null
   */
  static <S extends RowSet<S>> LabelListSegment<S> open(
      SegmentFiles files,
      Field itemField,
      RowDomain<S> domain,
      boolean knowsNulls,
      BufferAllocator allocator) {
    LanceFileReader file = BitmapFile.open(files, itemField);
    boolean complete = false;
    try {
      Optional<S> nulls = knowsNulls ? Optional.of(ListNulls.read(file, domain)) : Optional.empty();
      long nullBytes = SET_BYTES + nulls.map(rows -> (long) rows.toBytes().length).orElse(0L);
      BitmapTable<S> table = BitmapTable.read(files, file, itemField, domain, allocator);
      complete = true;
      return new LabelListSegment<>(table, nulls, domain, nullBytes);
    } finally {
      if (!complete) {
        file.close();
      }
    }
  }

  @Override
  public SegmentAnswer<S> search(ScalarQuery query, BufferAllocator allocator) {
    S rows = rows(query, allocator);
    return nulls.isPresent()
        ? new SegmentAnswer<>(Guarantee.EXACT, rows, nulls.get())
        : new SegmentAnswer<>(Guarantee.AT_MOST, rows, domain.empty());
  }

  private S rows(ScalarQuery query, BufferAllocator allocator) {
    if (query instanceof ScalarQuery.HasAny any) {
      S rows = table.in(any.items(), allocator);
      return any.nullToo() ? rows.or(table.nulls(allocator)) : rows;
    }
    if (query instanceof ScalarQuery.HasAll all) {
      return all(all.items(), all.nullToo(), allocator);
    }
    throw new IllegalArgumentException("a label list index cannot answer " + query);
  }

  private S all(List<ScalarValue> items, boolean nullToo, BufferAllocator allocator) {
    S rows = nullToo ? table.nulls(allocator) : null;
    for (ScalarValue item : items) {
      if (rows != null && rows.isEmpty()) {
        return rows;
      }
      S having = table.equalTo(item, allocator);
      rows = rows == null ? having : rows.and(having);
    }
    return rows;
  }

  @Override
  public Map<String, Object> statistics() {
    return Map.of("num_bitmaps", table.size());
  }

  @Override
  public long memoryBytes() {
    return table.memoryBytes() + nullBytes;
  }

  @Override
  public void close() {
    table.close();
  }
}
