package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.internal.data.ArrayData;
import org.apache.arrow.memory.BufferAllocator;

/** Finds out what pages begin and end with from the pages themselves. */
final class DerivedLookup {
  private DerivedLookup() {}

  /** The lookup of a file whose own is missing or may be that of other pages. */
  static PageLookup of(PageFile file, BufferAllocator allocator) {
    PageBounds bounds = file.bounds();
    long[] starts = new long[bounds.pages()];
    long[] ends = new long[bounds.pages()];
    for (int page = 0; page < starts.length; page++) {
      starts[page] = bounds.start(page);
      ends[page] = bounds.end(page) - 1;
    }
    try (ArrayData first = file.takeValues(starts, allocator);
        ArrayData last = file.takeValues(ends, allocator)) {
      long[] nullCounts = new long[starts.length];
      for (int page = 0; page < starts.length; page++) {
        if (!last.isValid(page)) {
          nullCounts[page] = bounds.end(page) - bounds.start(page);
        } else if (!first.isValid(page)) {
          nullCounts[page] = nulls(file, page, allocator);
        }
      }
      return PageLookup.of(file, first, last, nullCounts);
    }
  }

  private static long nulls(PageFile file, int page, BufferAllocator allocator) {
    PageBounds bounds = file.bounds();
    try (ArrayData values = file.readValues(bounds.start(page), bounds.end(page), allocator)) {
      return values.nullCount();
    }
  }
}
