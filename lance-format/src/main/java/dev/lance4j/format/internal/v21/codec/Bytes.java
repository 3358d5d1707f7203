package dev.lance4j.format.internal.v21.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Small helpers on little-endian buffers. */
final class Bytes {
  private Bytes() {}

  /** A heap buffer of zeros. */
  static ByteBuffer allocate(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  static ByteBuffer wrap(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static ByteBuffer slice(ByteBuffer in, int offset, int length) {
    return in.slice(offset, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The bytes that some values need. */
  static long size(long count, long bits) {
    return (Math.multiplyExact(count, bits) + 7) >>> 3;
  }

  /**
   * Checks that a buffer is large enough.
   *
   * @param what the codec, for the error
   */
  static void require(ByteBuffer in, long needed, String what) {
    if (needed > in.limit()) {
      throw new IllegalArgumentException(
          what + " needs " + needed + " bytes where the buffer has " + in.limit());
    }
  }
}
