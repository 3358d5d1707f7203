package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import java.nio.ByteBuffer;

/**
 * The stored form of variable lengths: for each row the end of its values in the page as 64 bits,
 * the start being the end of the row before. A null has an adjustment added to its end.
 *
 * @param stored the ends of the rows of a page
 * @param adjustment what marks a null, above every end
 * @param limit the number of values, which no end exceeds
 */
record EndOffsets(PageInfo page, FixedWidthArray stored, long adjustment, long limit) {
  /** The rows whose stored ends tell the starts and ends of {@code rows}. */
  static RowRanges neededFor(RowRanges rows) {
    RangeList needed = new RangeList();
    for (int i = 0; i < rows.size(); i++) {
      needed.add(Math.max(0, rows.start(i) - 1), rows.end(i));
    }
    return needed.toRanges();
  }

  FixedWidthRead read(RowRanges rows) {
    return stored.read(neededFor(rows));
  }

  /**
   * Where the values of rows lie, checked to ascend and to stay inside.
   *
   * @param read a completed read of the same rows
   */
  RowSlots slots(RowRanges rows, FixedWidthRead read) {
    ByteBuffer ends = read.bytes();
    int count = ReadLimits.count(rows.rows());
    long[] starts = new long[count];
    int[] lengths = new int[count];
    int nulls = 0;
    int at = 0;
    int row = 0;
    long lastEnd = 0;
    for (int i = 0; i < rows.size(); i++) {
      long previous = 0;
      if (rows.start(i) > 0) {
        previous = end(ends.getLong(at));
        at += Long.BYTES;
      }
      if (previous < lastEnd) {
        throw page.corrupt("offsets descend from " + lastEnd + " to " + previous);
      }
      int rangeEnd = Math.toIntExact(row + rows.end(i) - rows.start(i));
      while (row < rangeEnd) {
        long value = ends.getLong(at);
        at += Long.BYTES;
        boolean isNull = value >= adjustment;
        long end = isNull ? value - adjustment : value;
        long length = end - previous;
        if (end < 0 || length < 0 || end > limit || length > Integer.MAX_VALUE) {
          throw page.corrupt(
              "an offset of " + value + " after " + previous + ", adjustment " + adjustment);
        }
        starts[row] = previous;
        lengths[row] = isNull ? -1 - (int) length : (int) length;
        nulls += isNull ? 1 : 0;
        previous = end;
        row++;
      }
      lastEnd = previous;
    }
    return new RowSlots(starts, lengths, nulls);
  }

  private long end(long value) {
    long end = value >= adjustment ? value - adjustment : value;
    if (end < 0 || end > limit) {
      throw page.corrupt("an offset of " + value + ", adjustment " + adjustment);
    }
    return end;
  }
}
