package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.page.RowRanges;
import java.util.Arrays;

/** Gathers ranges that ascend; neighbours become one. */
final class RangeList {
  private long[] starts = new long[16];
  private long[] ends = new long[16];
  private int size;

  /**
   * Adds a range, which may be empty.
   *
   * @throws IllegalArgumentException if it starts before the end of the one before
   */
  void add(long start, long end) {
    if (start == end) {
      return;
    }
    if (size > 0 && ends[size - 1] == start) {
      ends[size - 1] = end;
      return;
    }
    if (start < 0 || end < start || (size > 0 && start < ends[size - 1])) {
      throw new IllegalArgumentException("range " + start + ".." + end + " does not ascend");
    }
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, size * 2);
      ends = Arrays.copyOf(ends, size * 2);
    }
    starts[size] = start;
    ends[size] = end;
    size++;
  }

  /** Adds ranges, shifted; the list itself is returned. */
  RangeList addAll(RowRanges ranges, long shift) {
    for (int i = 0; i < ranges.size(); i++) {
      add(Math.addExact(ranges.start(i), shift), Math.addExact(ranges.end(i), shift));
    }
    return this;
  }

  RowRanges toRanges() {
    return RowRanges.of(Arrays.copyOf(starts, size), Arrays.copyOf(ends, size));
  }
}
