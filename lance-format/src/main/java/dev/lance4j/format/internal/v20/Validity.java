package dev.lance4j.format.internal.v20;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.Bitmaps;
import dev.lance4j.format.internal.page.RowRanges;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;

/** Bits that tell which rows of an input array are valid. */
final class Validity {
  private Validity() {}

  /**
   * The rows that are valid themselves and below valid structs.
   *
   * @param mask the rows that lie in valid structs; null for all
   * @return null when all are valid
   */
  static ByteBuffer of(ArrayData rows, ByteBuffer mask, String path) {
    ArrowBuf own = rows.nullCount() == 0 ? null : rows.validity();
    if (own == null) {
      return mask;
    }
    int bytes = (int) Bitmaps.bytes(rows.length());
    if (own.capacity() < bytes) {
      throw new InvalidInputException(
          "Field '" + path + "' has a validity buffer that is shorter than its values");
    }
    ByteBuffer bits = own.nioBuffer(0, bytes);
    if (mask == null) {
      return bits;
    }
    ByteBuffer both = ByteBuffer.allocate(bytes);
    for (int i = 0; i < bytes; i++) {
      both.put(i, (byte) (bits.get(i) & mask.get(i)));
    }
    return both;
  }

  /** How many of the rows in the ranges are not valid. */
  static long nulls(ByteBuffer validity, RowRanges ranges) {
    if (validity == null) {
      return 0;
    }
    long nulls = ranges.rows();
    for (int i = 0; i < ranges.size(); i++) {
      nulls -= Bitmaps.count(validity, ranges.start(i), ranges.end(i) - ranges.start(i));
    }
    return nulls;
  }
}
