package dev.lance4j.format.internal.v20;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.Bitmaps;
import dev.lance4j.format.internal.page.RowRanges;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;

/** The offsets of an input array of strings or lists, checked as they are read. */
final class InputOffsets {
  private final String path;
  private final boolean wide;

  /**
   * @param wide whether offsets have 64 bits
   */
  InputOffsets(String path, boolean wide) {
    this.path = path;
    this.wide = wide;
  }

  /**
   * The values that belong to valid rows, and the ends of the rows.
   *
   * @param limit the number of values there are
   * @param ends takes one end for each row
   * @throws InvalidInputException if offsets descend or leave the values
   */
  RowRanges collect(
      ArrayData rows, ByteBuffer validity, RowRanges ranges, long limit, MarkedEnds ends) {
    RangeList values = new RangeList();
    if (ranges.isEmpty()) {
      return values.toRanges();
    }
    ArrowBuf offsets = offsets(rows, ranges);
    ByteBuffer out = ends.grow(ranges.rows());
    long before = 0;
    for (int i = 0; i < ranges.size(); i++) {
      long start = get(offsets, ranges.start(i));
      check(before, start, limit);
      for (long row = ranges.start(i); row < ranges.end(i); row++) {
        long end = get(offsets, row + 1);
        check(start, end, limit);
        if (validity == null || Bitmaps.get(validity, row)) {
          values.add(start, end);
          out.putLong(ends.next(end - start));
        } else {
          out.putLong(ends.nextNull());
        }
        start = end;
      }
      before = start;
    }
    return values.toRanges();
  }

  /** The number of values between the first and the last row. */
  long span(ArrayData rows, RowRanges ranges) {
    if (ranges.isEmpty()) {
      return 0;
    }
    ArrowBuf offsets = offsets(rows, ranges);
    return Math.max(0, get(offsets, ranges.limit()) - get(offsets, ranges.start(0)));
  }

  private ArrowBuf offsets(ArrayData rows, RowRanges ranges) {
    ArrowBuf offsets = rows.buffer(1);
    FixedValues.checkSize(
        path, offsets, (ranges.limit() + 1) * (wide ? Long.BYTES : Integer.BYTES));
    return offsets;
  }

  private long get(ArrowBuf offsets, long i) {
    return wide ? offsets.getLong(i * Long.BYTES) : offsets.getInt(i * Integer.BYTES);
  }

  private void check(long start, long end, long limit) {
    if (start < 0 || end < start || end > limit) {
      throw new InvalidInputException(
          String.format(
              "Field '%s' has an offset of %d after %d, with %d values; offsets must ascend and lie"
                  + " inside the values",
              path, end, start, limit));
    }
  }
}
