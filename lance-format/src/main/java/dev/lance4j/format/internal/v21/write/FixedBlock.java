package dev.lance4j.format.internal.v21.write;

import java.nio.ByteBuffer;

/**
 * Values of one width, back to back.
 *
 * @param bits the width: 1 or a multiple of 8
 * @param values little-endian, from position 0; bitmaps begin at bit 0
 */
record FixedBlock(int bits, int count, ByteBuffer values) implements LeafBlock {
  /** The bytes of one value; 0 for single bits. */
  int width() {
    return bits >> 3;
  }

  @Override
  public long bytes() {
    return ((long) count * bits + 7) >> 3;
  }

  @Override
  public int maxValueBytes() {
    return width();
  }

  @Override
  public FixedBlock slice(int from, int length) {
    if (bits > 1) {
      return new FixedBlock(bits, length, Buffers.slice(values, from * width(), length * width()));
    }
    return new FixedBlock(1, length, FixedType.bits(values, from, length));
  }
}
