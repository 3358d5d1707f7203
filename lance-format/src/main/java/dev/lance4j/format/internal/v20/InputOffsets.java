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
   * Where the values of rows lie.
   *
   * @param limit the number of values there are
   * @throws InvalidInputException if offsets descend or leave the values
   */
  RowSlots slots(ArrayData rows, ByteBuffer validity, RowRanges ranges, long limit) {
    int count = Math.toIntExact(ranges.rows());
    long[] starts = new long[count];
    int[] lengths = new int[count];
    if (count == 0) {
      return new RowSlots(starts, lengths, 0);
    }
    ArrowBuf offsets = offsets(rows, ranges);
    int nulls = 0;
    int at = 0;
    long before = 0;
    for (int i = 0; i < ranges.size(); i++) {
      long start = get(offsets, ranges.start(i));
      check(before, start, limit);
      for (long row = ranges.start(i); row < ranges.end(i); row++) {
        long end = get(offsets, row + 1);
        check(start, end, limit);
        boolean valid = validity == null || Bitmaps.get(validity, row);
        starts[at] = start;
        lengths[at] = valid ? (int) (end - start) : -1;
        nulls += valid ? 0 : 1;
        at++;
        start = end;
      }
      before = start;
    }
    return new RowSlots(starts, lengths, nulls);
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
    if (start < 0 || end < start || end > limit || end - start > Integer.MAX_VALUE) {
      throw new InvalidInputException(
          String.format(
              "Field '%s' has an offset of %d after %d, with %d values; offsets must ascend and lie"
                  + " inside the values",
              path, end, start, limit));
    }
  }
}
