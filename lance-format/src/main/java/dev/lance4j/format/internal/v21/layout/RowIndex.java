package dev.lance4j.format.internal.v21.layout;

import java.nio.ByteBuffer;

/**
 * Some entries of the index of a full-zip page: where rows begin in its data.
 *
 * @param bytes the entries
 * @param width of an entry in bytes: 1, 2, 4 or 8
 * @param firstRow the row of the first entry
 */
record RowIndex(ByteBuffer bytes, int width, int firstRow) {
  /** Where a row begins. */
  long offset(int row) {
    int i = (row - firstRow) * width;
    return switch (width) {
      case 1 -> bytes.get(i) & 0xff;
      case 2 -> bytes.getShort(i) & 0xffff;
      case 4 -> bytes.getInt(i) & 0xffffffffL;
      default -> bytes.getLong(i);
    };
  }
}
