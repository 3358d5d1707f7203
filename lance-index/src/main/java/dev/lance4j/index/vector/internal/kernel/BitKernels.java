package dev.lance4j.index.vector.internal.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Loops over bits, of which one instruction counts those of a long anyway. */
final class BitKernels {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private BitKernels() {}

  /** The number of bits that differ between two vectors of bits. */
  static int differing(byte[] a, int aFrom, byte[] b, int bFrom, int bytes) {
    int bits = 0;
    int i = 0;
    for (; i + Long.BYTES <= bytes; i += Long.BYTES) {
      long x = (long) LONGS.get(a, aFrom + i);
      long y = (long) LONGS.get(b, bFrom + i);
      bits += Long.bitCount(x ^ y);
    }
    for (; i < bytes; i++) {
      bits += Integer.bitCount((a[aFrom + i] ^ b[bFrom + i]) & 0xFF);
    }
    return bits;
  }
}
