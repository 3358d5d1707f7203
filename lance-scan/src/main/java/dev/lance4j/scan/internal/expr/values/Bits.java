package dev.lance4j.scan.internal.expr.values;

/** Bitmaps of rows in words of 64; bits beyond the last row are zero. */
public final class Bits {
  private Bits() {}

  public static int words(int size) {
    return (size + 63) >>> 6;
  }

  public static boolean get(long[] bits, int row) {
    return ((bits[row >>> 6] >>> row) & 1) != 0;
  }

  public static void set(long[] bits, int row) {
    bits[row >>> 6] |= 1L << row;
  }

  public static void clear(long[] bits, int row) {
    bits[row >>> 6] &= ~(1L << row);
  }

  /** A bitmap of ones. */
  public static long[] ones(int size) {
    long[] bits = new long[words(size)];
    java.util.Arrays.fill(bits, -1L);
    trim(bits, size);
    return bits;
  }

  /** Clears the bits beyond the last row. */
  public static void trim(long[] bits, int size) {
    if ((size & 63) != 0) {
      bits[bits.length - 1] &= -1L >>> -size;
    }
  }

  public static int count(long[] bits) {
    int count = 0;
    for (long word : bits) {
      count += Long.bitCount(word);
    }
    return count;
  }

  /** Both; null stands for all ones. */
  public static long[] and(long[] left, long[] right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    long[] result = new long[left.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = left[i] & right[i];
    }
    return result;
  }

  /** The rows whose bit is set, ascending. */
  public static int[] rows(long[] bits) {
    int[] rows = new int[count(bits)];
    int at = 0;
    for (int word = 0; word < bits.length; word++) {
      for (long rest = bits[word]; rest != 0; rest &= rest - 1) {
        rows[at++] = (word << 6) + Long.numberOfTrailingZeros(rest);
      }
    }
    return rows;
  }

  /** The validity of chosen rows; a negative row is null. Null stands for all valid. */
  static long[] gather(long[] bits, int[] rows) {
    long[] result = new long[words(rows.length)];
    boolean all = true;
    for (int i = 0; i < rows.length; i++) {
      if (rows[i] >= 0 && (bits == null || get(bits, rows[i]))) {
        set(result, i);
      } else {
        all = false;
      }
    }
    return all ? null : result;
  }
}
