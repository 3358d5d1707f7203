package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.kernel.FastLanes;
import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;

/**
 * One group of bit-packed values that begins with the packed width, as a word of the values' width.
 */
final class InlineBitpackingCodec implements ChunkCodec, BlockCodec {
  /** More values than this are unpacked sooner with the whole group. */
  private static final int MAX_SINGLE_VALUES = 16;

  private final int bits;

  /**
   * @param bits width of the values: 8, 16, 32 or 64
   */
  InlineBitpackingCodec(int bits) {
    this.bits = bits;
  }

  @Override
  public int bufferCount() {
    return 1;
  }

  @Override
  public Block decode(ByteBuffer[] buffers, int first, int count) {
    return decode(buffers[first], count);
  }

  @Override
  public Block decode(ByteBuffer[] buffers, int first, int count, ItemRuns wanted) {
    if (count == 0 || wanted.items() > MAX_SINGLE_VALUES) {
      return decode(buffers, first, count);
    }
    ByteBuffer in = buffers[first];
    int width = width(in, count);
    ByteBuffer out = Bytes.wrap(new byte[wanted.to() * bits / 8]);
    for (int run = 0; run < wanted.size(); run++) {
      for (int i = wanted.start(run); i < wanted.end(run); i++) {
        put(out, i, FastLanes.unpackSingle(bits, width, in, bits / 8, i));
      }
    }
    return new Block.Fixed(out, bits, false);
  }

  private void put(ByteBuffer out, int i, long value) {
    switch (bits) {
      case Byte.SIZE -> out.put(i, (byte) value);
      case Short.SIZE -> out.putShort(i * Short.BYTES, (short) value);
      case Integer.SIZE -> out.putInt(i * Integer.BYTES, (int) value);
      default -> out.putLong(i * Long.BYTES, value);
    }
  }

  @Override
  public Block decode(ByteBuffer in, int count) {
    if (count == 0) {
      return new Block.Empty();
    }
    int width = width(in, count);
    byte[] out = new byte[FastLanes.GROUP * bits / 8];
    FastLanes.unpack(bits, width, in, bits / 8, out, 0);
    return new Block.Fixed(Bytes.wrap(out), bits, false);
  }

  @Override
  public short[] decodeLevels(ByteBuffer in, int count) {
    if (bits != Short.SIZE || count == 0) {
      return BlockCodec.super.decodeLevels(in, count);
    }
    short[] levels = new short[FastLanes.GROUP];
    FastLanes.unpackShorts(width(in, count), in, bits / 8, levels, 0);
    return levels;
  }

  private int width(ByteBuffer in, int count) {
    if (count > FastLanes.GROUP) {
      throw new IllegalArgumentException(
          count + " values in one bit-packed group of " + FastLanes.GROUP);
    }
    Bytes.require(in, bits / 8, "bit-packed data");
    long width =
        switch (bits) {
          case 8 -> in.get(0);
          case 16 -> in.getShort(0);
          case 32 -> in.getInt(0);
          default -> in.getLong(0);
        };
    if (width < 0 || width > bits) {
      throw new IllegalArgumentException(bits + "-bit values packed to " + width + " bits");
    }
    int size = bits / 8 + FastLanes.packedBytes((int) width);
    if (in.limit() != size) {
      throw new IllegalArgumentException(
          "values packed to " + width + " bits need " + size + " bytes, not " + in.limit());
    }
    return (int) width;
  }
}
