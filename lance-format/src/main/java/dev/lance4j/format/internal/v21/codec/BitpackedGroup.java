package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.kernel.FastLanes;
import java.nio.ByteBuffer;

/** Unpacks groups of 1024 values of 8, 16, 32 or 64 bits. */
final class BitpackedGroup {
  /** The number of values in a group. */
  static final int VALUES = 1024;

  private BitpackedGroup() {}

  /**
   * Unpacks one group.
   *
   * @param bits width of the values
   * @param width width of the packed values, at most {@code bits}
   * @param out takes {@code VALUES * bits / 8} bytes from {@code at} on
   */
  static void unpack(int bits, int width, ByteBuffer in, int offset, byte[] out, int at) {
    switch (bits) {
      case 8 -> FastLanes.unpackBytes(width, in, offset, out, at);
      case 16 -> {
        short[] values = new short[VALUES];
        FastLanes.unpackShorts(width, in, offset, values, 0);
        Bytes.wrap(out).position(at).asShortBuffer().put(values);
      }
      case 32 -> {
        int[] values = new int[VALUES];
        FastLanes.unpackInts(width, in, offset, values, 0);
        Bytes.wrap(out).position(at).asIntBuffer().put(values);
      }
      case 64 -> {
        long[] values = new long[VALUES];
        FastLanes.unpackLongs(width, in, offset, values, 0);
        Bytes.wrap(out).position(at).asLongBuffer().put(values);
      }
      default -> throw new IllegalArgumentException("bit-packed values of " + bits + " bits");
    }
  }
}
