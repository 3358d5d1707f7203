package dev.lance4j.format.internal.page;

import java.util.Arrays;

/** Ascending, non-overlapping, non-empty half-open ranges of row numbers. Immutable. */
public final class RowRanges {
  private final long[] starts;
  private final long[] ends;
  private final long rows;

  private RowRanges(long[] starts, long[] ends) {
    this.starts = starts;
    this.ends = ends;
    long total = 0;
    for (int i = 0; i < starts.length; i++) {
      if (starts[i] < 0 || ends[i] <= starts[i] || (i > 0 && starts[i] < ends[i - 1])) {
        throw new IllegalArgumentException("ranges must ascend and must not be empty or overlap");
      }
      total += ends[i] - starts[i];
    }
    this.rows = total;
  }

  /** The single range from {@code start} (inclusive) to {@code end} (exclusive), perhaps empty. */
  public static RowRanges of(long start, long end) {
    return start == end
        ? new RowRanges(new long[0], new long[0])
        : new RowRanges(new long[] {start}, new long[] {end});
  }

  /** Ranges from parallel arrays of inclusive starts and exclusive ends; neighbours are joined. */
  public static RowRanges of(long[] starts, long[] ends) {
    long[] s = new long[starts.length];
    long[] e = new long[starts.length];
    int n = 0;
    for (int i = 0; i < starts.length; i++) {
      if (n > 0 && starts[i] == e[n - 1]) {
        e[n - 1] = ends[i];
      } else {
        s[n] = starts[i];
        e[n] = ends[i];
        n++;
      }
    }
    return new RowRanges(Arrays.copyOf(s, n), Arrays.copyOf(e, n));
  }

  /** The ranges that hold exactly these strictly ascending rows. */
  public static RowRanges ofSortedRows(long[] rows) {
    long[] ends = new long[rows.length];
    for (int i = 0; i < rows.length; i++) {
      ends[i] = rows[i] + 1;
    }
    return of(rows, ends);
  }

  /** The number of ranges. */
  public int size() {
    return starts.length;
  }

  /** The first row of range {@code i}. */
  public long start(int i) {
    return starts[i];
  }

  /** The row after the last one of range {@code i}. */
  public long end(int i) {
    return ends[i];
  }

  /** The number of rows in all ranges. */
  public long rows() {
    return rows;
  }

  public boolean isEmpty() {
    return rows == 0;
  }

  /** The row after the last one, or 0 when there is none. */
  public long limit() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  /** The first row that is not before {@code row}, or -1 when there is none. */
  public long firstFrom(long row) {
    int range = firstEndingAfter(row);
    return range == starts.length ? -1 : Math.max(row, starts[range]);
  }

  /** The part between {@code from} (inclusive) and {@code to} (exclusive), renumbered from 0. */
  public RowRanges slice(long from, long to) {
    int first = firstEndingAfter(from);
    int n = 0;
    while (from < to && first + n < starts.length && starts[first + n] < to) {
      n++;
    }
    long[] s = new long[n];
    long[] e = new long[n];
    for (int i = 0; i < n; i++) {
      s[i] = Math.max(starts[first + i], from) - from;
      e[i] = Math.min(ends[first + i], to) - from;
    }
    return new RowRanges(s, e);
  }

  /** The next {@code count} rows after skipping the first {@code skip} rows of these ranges. */
  public RowRanges select(long skip, long count) {
    int i = 0;
    while (i < starts.length && skip >= ends[i] - starts[i]) {
      skip -= ends[i] - starts[i];
      i++;
    }
    long[] s = new long[starts.length - i];
    long[] e = new long[starts.length - i];
    int n = 0;
    while (i < starts.length && count > 0) {
      s[n] = starts[i] + skip;
      e[n] = Math.min(ends[i], s[n] + count);
      count -= e[n] - s[n];
      skip = 0;
      n++;
      i++;
    }
    return new RowRanges(Arrays.copyOf(s, n), Arrays.copyOf(e, n));
  }

  private int firstEndingAfter(long row) {
    int low = 0;
    int high = ends.length;
    while (low < high) {
      int mid = (low + high) >>> 1;
      if (ends[mid] > row) {
        high = mid;
      } else {
        low = mid + 1;
      }
    }
    return low;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < starts.length; i++) {
      text.append(i == 0 ? "" : ", ").append(starts[i]).append("..").append(ends[i]);
    }
    return text.toString();
  }
}
