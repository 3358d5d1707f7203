package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;

/**
 * Rows of fixed-size lists, at least one level of which has null items: each row is the validity
 * bitmaps of the levels that have one, outermost first, and then its innermost items.
 */
final class ZipFixedSizeListCodec implements ZipRowCodec {
  private final int[] dimensions;
  private final boolean[] hasValidity;
  private final ZipRowCodec items;
  private final int itemBytes;
  private final int rowBytes;

  /**
   * @param dimensions of the levels, outermost first
   * @param hasValidity for each level whether its items have a bitmap
   * @param items decodes the innermost items
   * @param itemBytes the size of all innermost items of one row
   */
  ZipFixedSizeListCodec(int[] dimensions, boolean[] hasValidity, ZipRowCodec items, int itemBytes) {
    this.dimensions = dimensions;
    this.hasValidity = hasValidity;
    this.items = items;
    this.itemBytes = itemBytes;
    this.rowBytes = Math.addExact(validityBytes(dimensions, hasValidity), itemBytes);
  }

  /** The size of all bitmaps of one row. */
  static int validityBytes(int[] dimensions, boolean[] hasValidity) {
    int bytes = 0;
    int items = 1;
    for (int i = 0; i < dimensions.length; i++) {
      items = Math.multiplyExact(items, dimensions[i]);
      bytes = Math.addExact(bytes, hasValidity[i] ? (int) Bytes.size(items, 1) : 0);
    }
    return bytes;
  }

  /** The number of innermost items of one row. */
  static int itemsPerRow(int[] dimensions) {
    int items = 1;
    for (int dimension : dimensions) {
      items = Math.multiplyExact(items, dimension);
    }
    return items;
  }

  @Override
  public Block decode(ByteBuffer rows, int count, boolean lasting) {
    Bytes.require(rows, (long) count * rowBytes, "rows of fixed-size lists");
    ByteBuffer[] bitmaps = new ByteBuffer[dimensions.length];
    int offset = 0;
    int perRow = 1;
    for (int i = 0; i < dimensions.length; i++) {
      perRow *= dimensions[i];
      if (hasValidity[i]) {
        bitmaps[i] = gatherBits(rows, offset, perRow, count);
        offset += (int) Bytes.size(perRow, 1);
      }
    }
    ByteBuffer dense = Bytes.allocate(Math.multiplyExact(count, itemBytes));
    for (int i = 0; i < count; i++) {
      dense.put(i * itemBytes, rows, i * rowBytes + offset, itemBytes);
    }
    Block block = items.decode(dense, Math.multiplyExact(count, perRow), false);
    for (int i = dimensions.length - 1; i >= 0; i--) {
      block = new Block.FixedList(dimensions[i], bitmaps[i], block);
    }
    return block;
  }

  /** Joins the bitmaps of the rows, which each begin at a whole byte. */
  private ByteBuffer gatherBits(ByteBuffer rows, int offset, int perRow, int count) {
    byte[] bits = new byte[Math.toIntExact(Bytes.size(count, perRow))];
    for (int row = 0; row < count; row++) {
      int from = row * rowBytes + offset;
      long to = (long) row * perRow;
      for (int i = 0; i < perRow; i++, to++) {
        int bit = rows.get(from + (i >>> 3)) >>> (i & 7) & 1;
        bits[(int) (to >>> 3)] |= (byte) (bit << (to & 7));
      }
    }
    return Bytes.wrap(bits);
  }
}
