package dev.lance4j.format.internal.v21.write;

import java.nio.ByteBuffer;

/** Bitmaps with the least significant bit first. */
final class Bits {
  private Bits() {}

  /** The number of bytes that hold so many bits. */
  static int bytes(long bits) {
    return Math.toIntExact((bits + 7) >>> 3);
  }

  static boolean get(ByteBuffer bitmap, int i) {
    return (bitmap.get(i >> 3) >> (i & 7) & 1) != 0;
  }

  static void set(ByteBuffer bitmap, int i, boolean value) {
    int at = i >> 3;
    int bit = 1 << (i & 7);
    bitmap.put(at, (byte) (value ? bitmap.get(at) | bit : bitmap.get(at) & ~bit));
  }

  /** Copies bits; neighbours of the target's bits keep their values. */
  static void copy(ByteBuffer from, int fromBit, ByteBuffer to, int toBit, int count) {
    int done = 0;
    while (done < count && ((toBit + done) & 7) != 0) {
      set(to, toBit + done, get(from, fromBit + done));
      done++;
    }
    int bytes = (count - done) >> 3;
    copyBytes(from, fromBit + done, to, (toBit + done) >> 3, bytes);
    for (done += bytes << 3; done < count; done++) {
      set(to, toBit + done, get(from, fromBit + done));
    }
  }

  private static void copyBytes(ByteBuffer from, int fromBit, ByteBuffer to, int toByte, int n) {
    int at = fromBit >> 3;
    int shift = fromBit & 7;
    if (shift == 0) {
      to.put(toByte, from, at, n);
      return;
    }
    for (int i = 0; i < n; i++) {
      int low = (from.get(at + i) & 0xFF) >>> shift;
      to.put(toByte + i, (byte) (low | from.get(at + i + 1) << (8 - shift)));
    }
  }

  /** Sets bits to one. */
  static void fill(ByteBuffer to, int toBit, int count) {
    for (int i = 0; i < count; i++) {
      set(to, toBit + i, true);
    }
  }
}
