package dev.lance4j.scan.internal.expr.eval;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Finds a byte string in others. Compares the first two bytes at eight places at once and the rest
 * where these fit.
 */
final class BytesSearch {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private final byte[] wanted;
  private final long first;
  private final long second;

  BytesSearch(byte[] wanted) {
    this.wanted = wanted;
    this.first = wanted.length > 0 ? ONES * (wanted[0] & 0xff) : 0;
    this.second = wanted.length > 1 ? ONES * (wanted[1] & 0xff) : 0;
  }

  /** The number of bytes that are looked for. */
  int length() {
    return wanted.length;
  }

  /** Whether the string is at a place where there are as many bytes. */
  boolean isAt(byte[] bytes, int at) {
    return Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length);
  }

  /** Where the string is first found between two places; negative if it is not there. */
  int find(byte[] bytes, int start, int end) {
    int last = end - wanted.length;
    if (wanted.length < 2) {
      return findShort(bytes, start, last);
    }
    int at = start;
    for (; at <= last && at < bytes.length - Long.BYTES; at += Long.BYTES) {
      long words = zeros((long) WORD.get(bytes, at) ^ first);
      long hits = words & zeros((long) WORD.get(bytes, at + 1) ^ second);
      for (; hits != 0; hits &= hits - 1) {
        int place = at + Long.numberOfTrailingZeros(hits) / Byte.SIZE;
        if (place > last) {
          return -1;
        }
        if (isAt(bytes, place)) {
          return place;
        }
      }
    }
    for (; at <= last; at++) {
      if (bytes[at] == wanted[0] && isAt(bytes, at)) {
        return at;
      }
    }
    return -1;
  }

  private int findShort(byte[] bytes, int start, int last) {
    if (wanted.length == 0) {
      return start;
    }
    for (int at = start; at <= last; at++) {
      if (bytes[at] == wanted[0]) {
        return at;
      }
    }
    return -1;
  }

  /** The highest bit of each byte that is zero, and perhaps of others after it. */
  private static long zeros(long word) {
    return (word - ONES) & ~word & HIGH_BITS;
  }
}
