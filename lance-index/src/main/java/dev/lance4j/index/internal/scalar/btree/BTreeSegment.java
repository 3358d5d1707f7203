package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.index.internal.query.Guarantee;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.ScalarValue;
import dev.lance4j.index.internal.query.SegmentAnswer;
import dev.lance4j.index.internal.scalar.ScalarSegment;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import dev.lance4j.table.Session;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.arrow.memory.BufferAllocator;

/** An open segment of a BTree index: finds positions of values, then the rows there. */
final class BTreeSegment<S extends RowSet<S>> implements ScalarSegment<S> {
  private static final int BYTES_PER_NULL = 4;

  private final SegmentFiles files;
  private final BTreeFiles open;
  private final RowDomain<S> rows;

  /**
   * @param open closed with this
   * @param rows how rows are named
   */
  BTreeSegment(SegmentFiles files, BTreeFiles open, RowDomain<S> rows) {
    this.files = files;
    this.open = open;
    this.rows = rows;
  }

  private record NullsKey(Object store, String path, RowDomain<?> rows) {}

  @Override
  public SegmentAnswer<S> search(ScalarQuery query, BufferAllocator allocator) {
    S nulls = nulls(allocator);
    if (query instanceof ScalarQuery.IsNull) {
      return new SegmentAnswer<>(Guarantee.EXACT, nulls, rows.empty());
    }
    RowSet.Builder<S> found = rows.builder();
    for (SortedPages part : open.parts()) {
      search(part, query, found, allocator);
    }
    return new SegmentAnswer<>(Guarantee.EXACT, found.build(), nulls);
  }

  private void search(
      SortedPages part, ScalarQuery query, RowSet.Builder<S> found, BufferAllocator allocator) {
    if (query instanceof ScalarQuery.Equals equals) {
      addEqual(part, equals.value(), found, allocator);
    } else if (query instanceof ScalarQuery.In in) {
      for (ScalarValue value : in.values()) {
        addEqual(part, value, found, allocator);
      }
    } else if (query instanceof ScalarQuery.Range range) {
      part.addRows(from(part, range, allocator), to(part, range, allocator), found, allocator);
    } else {
      throw new IllegalArgumentException("a BTree index cannot answer " + query);
    }
  }

  private static void addEqual(
      SortedPages part, ScalarValue value, RowSet.Builder<?> found, BufferAllocator allocator) {
    SearchKey key = part.file().keyType().key(value);
    long from = part.firstAtLeast(key, allocator);
    part.addRows(from, part.firstAbove(key, allocator), found, allocator);
  }

  /** Ranges are known by the positions of their ends. */
  @Override
  public OptionalLong estimate(ScalarQuery query, BufferAllocator allocator) {
    if (!(query instanceof ScalarQuery.Range range)) {
      return OptionalLong.empty();
    }
    long found = 0;
    for (SortedPages part : open.parts()) {
      found += Math.max(0, to(part, range, allocator) - from(part, range, allocator));
    }
    return OptionalLong.of(found);
  }

  private static long from(SortedPages part, ScalarQuery.Range range, BufferAllocator allocator) {
    if (range.lower().isEmpty()) {
      return part.lookup().nulls();
    }
    ScalarQuery.Bound lower = range.lower().orElseThrow();
    SearchKey key = part.file().keyType().key(lower.value());
    return lower.inclusive() ? part.firstAtLeast(key, allocator) : part.firstAbove(key, allocator);
  }

  private static long to(SortedPages part, ScalarQuery.Range range, BufferAllocator allocator) {
    if (range.upper().isEmpty()) {
      return part.file().bounds().rows();
    }
    ScalarQuery.Bound upper = range.upper().orElseThrow();
    SearchKey key = part.file().keyType().key(upper.value());
    return upper.inclusive() ? part.firstAbove(key, allocator) : part.firstAtLeast(key, allocator);
  }

  /** The rows without a value, which the session keeps. */
  private S nulls(BufferAllocator allocator) {
    long count = 0;
    for (SortedPages part : open.parts()) {
      count += part.lookup().nulls();
    }
    if (count == 0) {
      return rows.empty();
    }
    long bytes = BYTES_PER_NULL * count;
    NullsKey key = new NullsKey(files.location().store(), files.location().path(), rows);
    try (Session.Lease<S> lease =
        files.session().acquire(key, () -> readNulls(allocator), set -> bytes)) {
      return lease.value();
    }
  }

  private S readNulls(BufferAllocator allocator) {
    RowSet.Builder<S> found = rows.builder();
    for (SortedPages part : open.parts()) {
      part.addRows(0, part.lookup().nulls(), found, allocator);
    }
    return found.build();
  }

  @Override
  public Map<String, Object> statistics() {
    long pages = 0;
    for (SortedPages part : open.parts()) {
      pages += part.lookup().pageStatistic();
    }
    Optional<PageLookup> first =
        open.parts().stream().map(SortedPages::lookup).filter(BTreeSegment::hasValues).findFirst();
    Optional<PageLookup> last =
        open.parts().stream()
            .map(SortedPages::lookup)
            .filter(BTreeSegment::hasValues)
            .reduce((a, b) -> b);
    Map<String, Object> statistics = new LinkedHashMap<>();
    statistics.put("min", first.map(PageLookup::minText).orElse(PageLookup.NO_VALUE));
    statistics.put("max", last.map(PageLookup::maxText).orElse(PageLookup.NO_VALUE));
    statistics.put("num_pages", pages);
    return statistics;
  }

  private static boolean hasValues(PageLookup lookup) {
    return lookup.pageStatistic() > 0;
  }

  @Override
  public long memoryBytes() {
    return open.memoryBytes();
  }

  @Override
  public void close() {
    open.close();
  }
}
