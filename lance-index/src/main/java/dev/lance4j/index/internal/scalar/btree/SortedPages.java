package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.rowid.RowSet;
import dev.lance4j.table.Session;
import java.util.Arrays;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Pages of values in order, which are read when they are asked for and kept in the session. Safe
 * for use by many threads.
 */
final class SortedPages implements AutoCloseable {
  // What more pages hold is not worth the place of everything else that the session keeps.
  private static final int MAX_KEPT_PAGES = 256;
  private static final long MAX_ROWS_AT_ONCE = 1 << 18;

  private final PageFile file;
  private final PageLookup lookup;
  private final ObjectStore store;
  private final Session session;

  /**
   * @param file closed with this
   * @param store where the file is
   */
  SortedPages(PageFile file, PageLookup lookup, ObjectStore store, Session session) {
    this.file = file;
    this.lookup = lookup;
    this.store = store;
    this.session = session;
  }

  private record ValuesKey(ObjectStore store, String path, int page) {}

  private record IdsKey(ObjectStore store, String path, int page) {}

  PageFile file() {
    return file;
  }

  PageLookup lookup() {
    return lookup;
  }

  /** The position of the first value that is not below another one. */
  long firstAtLeast(SearchKey value, BufferAllocator allocator) {
    int page = lookup.pageAtLeast(value);
    if (page == file.bounds().pages()) {
      return file.bounds().rows();
    }
    if (lookup.isAtLeast(page, value)) {
      return file.bounds().start(page);
    }
    try (Session.Lease<Page> lease = page(page, allocator)) {
      Page read = lease.value();
      return file.bounds().start(page) + read.nulls() + read.values().firstAtLeast(value);
    }
  }

  /** The position of the first value that is above another one. */
  long firstAbove(SearchKey value, BufferAllocator allocator) {
    int page = lookup.pageAbove(value);
    if (page == file.bounds().pages()) {
      return file.bounds().rows();
    }
    if (lookup.isAbove(page, value)) {
      return file.bounds().start(page);
    }
    try (Session.Lease<Page> lease = page(page, allocator)) {
      Page read = lease.value();
      return file.bounds().start(page) + read.nulls() + read.values().firstAbove(value);
    }
  }

  private Session.Lease<Page> page(int page, BufferAllocator allocator) {
    ValuesKey key = new ValuesKey(store, file.path(), page);
    return session.acquire(key, () -> readPage(page, allocator), Page::memoryBytes);
  }

  private Page readPage(int page, BufferAllocator allocator) {
    long start = file.bounds().start(page);
    long end = file.bounds().end(page);
    try (ArrayData values = file.readValues(start, end, allocator)) {
      int nulls = values.nullCount();
      for (int row = 0; row < nulls; row++) {
        if (values.isValid(row)) {
          throw file.corrupt("page " + page + " has nulls after values");
        }
      }
      Keys keys = file.keyType().keys(values, nulls, values.length());
      long expected = Math.max(0, Math.min(end, lookup.nulls()) - start);
      if (nulls != expected || !keys.ascend() || !lookup.fits(page, keys)) {
        throw file.corrupt("page " + page + " is not in order, or the lookup is not its own");
      }
      return new Page(nulls, keys);
    }
  }

  /** Adds the numbers of the rows at some positions. */
  void addRows(long from, long to, RowSet.Builder<?> rows, BufferAllocator allocator) {
    if (from >= to) {
      return;
    }
    PageBounds bounds = file.bounds();
    int page = bounds.pageOf(from);
    int last = bounds.pageOf(to - 1);
    boolean keep = last - page < MAX_KEPT_PAGES;
    while (page <= last) {
      Optional<Session.Lease<long[]>> kept = session.acquireIfPresent(idsKey(page));
      if (kept.isPresent()) {
        try (Session.Lease<long[]> lease = kept.get()) {
          add(lease.value(), bounds.start(page), from, to, rows);
        }
        page++;
      } else {
        int end = endOfMissing(page, last);
        readIds(page, end, keep, from, to, rows, allocator);
        page = end;
      }
    }
  }

  private static void add(long[] ids, long first, long from, long to, RowSet.Builder<?> rows) {
    int start = (int) Math.max(0, from - first);
    int end = (int) Math.min(ids.length, to - first);
    rows.add(ids, start, end);
  }

  private IdsKey idsKey(int page) {
    return new IdsKey(store, file.path(), page);
  }

  /** The end of a run of pages that are not kept, as far as it is read at once. */
  private int endOfMissing(int page, int last) {
    PageBounds bounds = file.bounds();
    int end = page + 1;
    while (end <= last && bounds.end(end) - bounds.start(page) <= MAX_ROWS_AT_ONCE) {
      Optional<Session.Lease<long[]>> kept = session.acquireIfPresent(idsKey(end));
      if (kept.isPresent()) {
        kept.get().close();
        return end;
      }
      end++;
    }
    return end;
  }

  /** Adds the row numbers of pages that are read together. */
  private void readIds(
      int page,
      int end,
      boolean keep,
      long from,
      long to,
      RowSet.Builder<?> rows,
      BufferAllocator allocator) {
    PageBounds bounds = file.bounds();
    long first = bounds.start(page);
    long[] ids = file.readIds(first, bounds.end(end - 1), allocator);
    add(ids, first, from, to, rows);
    for (int each = page; keep && each < end; each++) {
      int start = (int) (bounds.start(each) - first);
      int count = (int) (bounds.end(each) - bounds.start(each));
      keep(each, ids, start, count);
    }
  }

  private void keep(int page, long[] ids, int start, int count) {
    session
        .acquire(
            idsKey(page),
            () -> Arrays.copyOfRange(ids, start, start + count),
            kept -> (long) kept.length * Long.BYTES + 64)
        .close();
  }

  long memoryBytes() {
    return lookup.memoryBytes() + file.memoryBytes();
  }

  @Override
  public void close() {
    file.close();
  }
}
