package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.page.RowRanges;
import java.util.Arrays;

/**
 * Which rows to read in order to get some rows. Reading rows that are not wanted costs their bytes;
 * starting anew after a gap costs about as much as some bytes, whatever the width of a row. Gaps
 * that are cheaper to read than to pass over are read, unless picking the wanted rows out of all
 * that was read, which copies them once more, costs more than it saves.
 */
final class ReadRanges {
  /** What starting anew costs, in bytes that could be decoded meanwhile. */
  static final long RESTART_BYTES = 512;

  private ReadRanges() {}

  /**
   * The ranges that are best read: the wanted ones, or ranges that hold them.
   *
   * @param width the bytes of a row
   */
  static RowRanges cheapest(RowRanges wanted, double width) {
    RowRanges covering = covering(wanted, width);
    double picking = wanted.rows() * width;
    return cost(covering, width) + picking < cost(wanted, width) ? covering : wanted;
  }

  private static double cost(RowRanges ranges, double width) {
    return (double) ranges.size() * RESTART_BYTES + ranges.rows() * width;
  }

  /**
   * Ranges that hold the wanted ones.
   *
   * @param width the bytes of a row
   */
  static RowRanges covering(RowRanges wanted, double width) {
    long gap = (long) (RESTART_BYTES / Math.max(width, 1.0 / 8));
    int n = wanted.size();
    long[] starts = new long[n];
    long[] ends = new long[n];
    int count = 0;
    for (int i = 0; i < n; i++) {
      if (count > 0 && wanted.start(i) - ends[count - 1] <= gap) {
        ends[count - 1] = wanted.end(i);
      } else {
        starts[count] = wanted.start(i);
        ends[count++] = wanted.end(i);
      }
    }
    return count == n
        ? wanted
        : RowRanges.of(Arrays.copyOf(starts, count), Arrays.copyOf(ends, count));
  }

  /** The positions of wanted rows among those of ranges that hold them. */
  static int[] positions(RowRanges wanted, RowRanges covering) {
    int[] positions = new int[(int) wanted.rows()];
    int n = 0;
    int range = 0;
    long before = 0;
    for (int i = 0; i < wanted.size(); i++) {
      while (wanted.start(i) >= covering.end(range)) {
        before += covering.end(range) - covering.start(range);
        range++;
      }
      long shift = before - covering.start(range);
      for (long row = wanted.start(i); row < wanted.end(i); row++) {
        positions[n++] = (int) (row + shift);
      }
    }
    return positions;
  }
}
