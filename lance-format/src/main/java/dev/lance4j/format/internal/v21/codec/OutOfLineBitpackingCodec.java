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
    boolean rawTail = hasRawTail(in, count);
    int groups = checkedGroups(in, count, rawTail);
    int packedBytes = FastLanes.packedBytes(width);
    int groupBytes = FastLanes.GROUP * bits / 8;
    int tailBytes = rawTail ? count % FastLanes.GROUP * bits / 8 : 0;
    byte[] out = new byte[Math.toIntExact((long) groups * groupBytes + tailBytes)];
    for (int i = 0; i < groups; i++) {
      FastLanes.unpack(bits, width, in, i * packedBytes, out, i * groupBytes);
    }
    in.get(groups * packedBytes, out, groups * groupBytes, tailBytes);
    return new Block.Fixed(Bytes.wrap(out), bits, false);
  }

  @Override
  public short[] decodeLevels(ByteBuffer in, int count) {
    if (bits != Short.SIZE) {
      return BlockCodec.super.decodeLevels(in, count);
    }
    boolean rawTail = hasRawTail(in, count);
    int groups = checkedGroups(in, count, rawTail);
    int packedBytes = FastLanes.packedBytes(width);
    short[] levels = new short[Math.max(count, groups * FastLanes.GROUP)];
    for (int i = 0; i < groups; i++) {
      FastLanes.unpackShorts(width, in, i * packedBytes, levels, i * FastLanes.GROUP);
    }
    for (int i = groups * FastLanes.GROUP; i < count; i++) {
      levels[i] = in.getShort(groups * packedBytes + (i - groups * FastLanes.GROUP) * Short.BYTES);
    }
    return levels;
  }

  /** Whether the values after the last whole group are not packed. */
  private boolean hasRawTail(ByteBuffer in, int count) {
    long packed = (long) (count / FastLanes.GROUP) * FastLanes.packedBytes(width);
    return in.limit() == packed + (long) (count % FastLanes.GROUP) * bits / 8;
  }

  /** The number of packed groups, all of which are there. */
  private int checkedGroups(ByteBuffer in, int count, boolean rawTail) {
    if (width == 0 && count > MAX_ZERO_WIDTH_VALUES) {
      throw new IllegalArgumentException(count + " values without any packed bits");
    }
    int whole = count / FastLanes.GROUP;
    int groups = rawTail || count % FastLanes.GROUP == 0 ? whole : whole + 1;
    Bytes.require(in, (long) groups * FastLanes.packedBytes(width), "bit-packed data");
    return groups;
  }
}
