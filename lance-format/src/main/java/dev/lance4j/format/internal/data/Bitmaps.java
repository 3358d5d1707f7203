package dev.lance4j.format.internal.data;

import java.nio.ByteBuffer;

/** Runs of bits in memory, least significant bit of a byte first. */
public final class Bitmaps {
  private Bitmaps() {}

  /** The number of bytes that hold {@code bits} bits. */
  public static long bytes(long bits) {
    return (bits + 7) >>> 3;
  }

  /** Bit {@code i}. */
  public static boolean get(ByteBuffer bits, long i) {
    return (bits.get((int) (i >>> 3)) >> (i & 7) & 1) != 0;
  }

  /**
   * Copies bits; bits of the target before {@code targetBit} keep their values, those after the
   * last one, up to the end of its byte, become 0.
   */
  public static void copy(
      ByteBuffer source, long sourceBit, ByteBuffer target, long targetBit, long count) {
    if (count == 0) {
      return;
    }
    int from = (int) (sourceBit >>> 3);
    int to = (int) (targetBit >>> 3);
    int lead = (int) (targetBit & 7);
    if (lead == 0 && (sourceBit & 7) == 0) {
      target.put(to, source, from, (int) bytes(count));
      clearTail(target, targetBit + count);
      return;
    }
    int first = (int) Math.min(count, lead == 0 ? 8 : 8 - lead);
    int kept = target.get(to) & ((1 << lead) - 1);
    target.put(to, (byte) (kept | (read(source, sourceBit, first) << lead)));
    long done = first;
    while (done < count) {
      int bits = (int) Math.min(8, count - done);
      to++;
      target.put(to, (byte) read(source, sourceBit + done, bits));
      done += bits;
    }
  }

  /** Up to 8 bits from a position, in the low bits of the result. */
  private static int read(ByteBuffer source, long bit, int count) {
    int at = (int) (bit >>> 3);
    int shift = (int) (bit & 7);
    int value = (source.get(at) & 0xFF) >>> shift;
    if (shift + count > 8) {
      value |= (source.get(at + 1) & 0xFF) << (8 - shift);
    }
    return value & ((1 << count) - 1);
  }

  /** Sets bits; those before keep their values, those after, up to a whole byte, become 0. */
  public static void fillOnes(ByteBuffer target, long targetBit, long count) {
    long bit = targetBit;
    long end = targetBit + count;
    while (bit < end) {
      int at = (int) (bit >>> 3);
      int lead = (int) (bit & 7);
      int bits = (int) Math.min(8 - lead, end - bit);
      int kept = target.get(at) & ((1 << lead) - 1);
      target.put(at, (byte) (kept | (((1 << bits) - 1) << lead)));
      bit += bits;
    }
  }

  private static void clearTail(ByteBuffer target, long endBit) {
    int used = (int) (endBit & 7);
    if (used != 0) {
      int at = (int) (endBit >>> 3);
      target.put(at, (byte) (target.get(at) & ((1 << used) - 1)));
    }
  }

  /** The number of set bits among {@code count} bits from {@code bit} on. */
  public static int count(ByteBuffer bits, long bit, long count) {
    int ones = 0;
    long at = bit;
    long end = bit + count;
    while (at < end && (at & 7) != 0) {
      ones += get(bits, at) ? 1 : 0;
      at++;
    }
    while (end - at >= Long.SIZE) {
      ones += Long.bitCount(bits.getLong((int) (at >>> 3)));
      at += Long.SIZE;
    }
    while (at < end) {
      int taken = (int) Math.min(8, end - at);
      ones += Integer.bitCount(bits.get((int) (at >>> 3)) & ((1 << taken) - 1));
      at += taken;
    }
    return ones;
  }
}
