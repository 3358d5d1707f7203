package dev.lance4j.format.internal.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The 64-bit hash function XXH64 with seed 0, as its public specification defines it. */
public final class XxHash64 {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long P1 = 0x9E3779B185EBCA87L;
  private static final long P2 = 0xC2B2AE3D27D4EB4FL;
  private static final long P3 = 0x165667B19E3779F9L;
  private static final long P4 = 0x85EBCA77C2B2AE63L;
  private static final long P5 = 0x27D4EB2F165667C5L;
  // The sum overflows, as it must.
  private static final long P1_PLUS_P2 = 0x60EA27EEADC0B5D6L;
  private static final int STRIPE = 32;

  private XxHash64() {}

  /** The hash of some bytes of an array. */
  public static long hash(byte[] bytes, int offset, int length) {
    int end = offset + length;
    int at = offset;
    long hash;
    if (length >= STRIPE) {
      long a = P1_PLUS_P2;
      long b = P2;
      long c = 0;
      long d = -P1;
      for (; at <= end - STRIPE; at += STRIPE) {
        a = round(a, word(bytes, at));
        b = round(b, word(bytes, at + 8));
        c = round(c, word(bytes, at + 16));
        d = round(d, word(bytes, at + 24));
      }
      hash =
          Long.rotateLeft(a, 1)
              + Long.rotateLeft(b, 7)
              + Long.rotateLeft(c, 12)
              + Long.rotateLeft(d, 18);
      hash = merge(merge(merge(merge(hash, a), b), c), d);
    } else {
      hash = P5;
    }
    return finish(hash + length, bytes, at, end);
  }

  private static long finish(long start, byte[] bytes, int from, int end) {
    long hash = start;
    int at = from;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      hash = Long.rotateLeft(hash ^ round(0, word(bytes, at)), 27) * P1 + P4;
    }
    if (at <= end - Integer.BYTES) {
      long half = (int) INT.get(bytes, at) & 0xFFFF_FFFFL;
      hash = Long.rotateLeft(hash ^ (half * P1), 23) * P2 + P3;
      at += Integer.BYTES;
    }
    for (; at < end; at++) {
      hash = Long.rotateLeft(hash ^ ((bytes[at] & 0xFF) * P5), 11) * P1;
    }
    hash = (hash ^ (hash >>> 33)) * P2;
    hash = (hash ^ (hash >>> 29)) * P3;
    return hash ^ (hash >>> 32);
  }

  private static long word(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  private static long round(long accumulator, long word) {
    return Long.rotateLeft(accumulator + word * P2, 31) * P1;
  }

  private static long merge(long hash, long accumulator) {
    return (hash ^ round(0, accumulator)) * P1 + P4;
  }
}
