package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.kernel.FastLanes;
import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;

/**
 * Any number of groups of bit-packed values of one packed width. The values after the last whole
 * group are packed as a group of their own or left as they are, which the length tells.
 */
final class OutOfLineBitpackingCodec implements BlockCodec {
  // Without any packed bits, nothing in the file limits the number of values.
  private static final int MAX_ZERO_WIDTH_VALUES = 1 << 20;

  private final int bits;
  private final int width;

  /**
   * @param bits width of the values: 8, 16, 32 or 64
   * @param width width of the packed values, at most {@code bits}
   */
  OutOfLineBitpackingCodec(int bits, int width) {
    this.bits = bits;
    this.width = width;
  }

  @Override
  public Block decode(ByteBuffer in, int count) {
    int groups = count / BitpackedGroup.VALUES;
    int tail = count % BitpackedGroup.VALUES;
    int packedBytes = FastLanes.packedBytes(width);
    long tailStart = (long) groups * packedBytes;
    boolean rawTail = in.limit() == tailStart + (long) tail * bits / 8;
    Bytes.require(
        in, rawTail ? tailStart : tailStart + (tail == 0 ? 0 : packedBytes), "bit-packed data");
    if (width == 0 && count > MAX_ZERO_WIDTH_VALUES) {
      throw new IllegalArgumentException(count + " values without any packed bits");
    }
    int groupBytes = BitpackedGroup.VALUES * bits / 8;
    int packedGroups = rawTail || tail == 0 ? groups : groups + 1;
    long size = (long) packedGroups * groupBytes + (rawTail ? (long) tail * bits / 8 : 0);
    byte[] out = new byte[Math.toIntExact(size)];
    for (int i = 0; i < packedGroups; i++) {
      BitpackedGroup.unpack(bits, width, in, i * packedBytes, out, i * groupBytes);
    }
    if (rawTail) {
      in.get((int) tailStart, out, groups * groupBytes, tail * bits / 8);
    }
    return new Block.Fixed(Bytes.wrap(out), bits, false);
  }
}
