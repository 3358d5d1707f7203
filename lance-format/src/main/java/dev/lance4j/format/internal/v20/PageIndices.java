package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import java.nio.ByteBuffer;

/**
 * The indices of a dictionary-encoded page.
 *
 * @param width of each in bytes: 1, 2, 4 or 8
 */
record PageIndices(PageInfo page, FixedWidthArray stored, int width) {
  FixedWidthRead read(RowRanges rows) {
    return stored.read(rows);
  }

  /**
   * The indices of rows, checked to be below the limit.
   *
   * @param read a completed read of the same rows
   */
  int[] values(RowRanges rows, FixedWidthRead read, long limit) {
    ByteBuffer bytes = read.bytes();
    int[] values = new int[ReadLimits.count(rows.rows())];
    for (int i = 0; i < values.length; i++) {
      long value =
          switch (width) {
            case 1 -> bytes.get(i) & 0xFF;
            case 2 -> bytes.getShort(i * 2) & 0xFFFF;
            case 4 -> bytes.getInt(i * 4);
            default -> bytes.getLong(i * 8);
          };
      if (value < 0 || value >= limit) {
        throw page.corrupt("a dictionary index of " + value + ", expected less than " + limit);
      }
      values[i] = (int) value;
    }
    return values;
  }
}
