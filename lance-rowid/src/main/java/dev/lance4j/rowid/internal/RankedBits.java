package dev.lance4j.rowid.internal;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bits that can tell how many ones are before a bit, and where a given one is. Immutable. */
final class RankedBits {
  private static final int WORD_SHIFT = 6;
  private static final int BLOCK_WORDS = 8;
  private static final int OBJECT_BYTES = 64;

  private final long[] words;
  private final long size;
  // Ones before each block; unsigned.
  private final int[] ranks;
  private final long ones;

  /**
   * @param words 64 bits each, the least significant first; bits from {@code size} on must be 0
   * @param size the number of bits
   */
  RankedBits(long[] words, long size) {
    this.words = words;
    this.size = size;
    this.ranks = new int[(words.length + BLOCK_WORDS - 1) / BLOCK_WORDS];
    long total = 0;
    for (int i = 0; i < words.length; i++) {
      if (i % BLOCK_WORDS == 0) {
        ranks[i / BLOCK_WORDS] = (int) total;
      }
      total += Long.bitCount(words[i]);
    }
    this.ones = total;
  }

  /**
   * Bits from bytes, the least significant bit first; what the last byte has beyond them is
   * ignored.
   */
  static RankedBits parse(ByteString bytes, long size) {
    ByteBuffer padded = ByteBuffer.allocate(Math.toIntExact((size + 63) / 64 * 8));
    bytes.copyTo(padded);
    long[] words = words(size);
    padded.clear().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
    clearPadding(words, size);
    return new RankedBits(words, size);
  }

  ByteString toByteString() {
    ByteBuffer bytes = ByteBuffer.allocate(words.length * 8).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(words);
    return ByteString.copyFrom(bytes, Math.toIntExact((size + 7) / 8));
  }

  /** Words for a number of bits, all of them 0. */
  static long[] words(long size) {
    return new long[Math.toIntExact((size + 63) / 64)];
  }

  /** Words for a number of bits, all of them 1. */
  static long[] ones(long size) {
    long[] words = words(size);
    Arrays.fill(words, -1);
    clearPadding(words, size);
    return words;
  }

  private static void clearPadding(long[] words, long size) {
    if (size % 64 != 0) {
      words[words.length - 1] &= (1L << size) - 1;
    }
  }

  static void set(long[] words, long bit) {
    words[(int) (bit >>> WORD_SHIFT)] |= 1L << bit;
  }

  static boolean get(long[] words, long bit) {
    return (words[(int) (bit >>> WORD_SHIFT)] >>> bit & 1) != 0;
  }

  static void clear(long[] words, long bit) {
    words[(int) (bit >>> WORD_SHIFT)] &= ~(1L << bit);
  }

  long size() {
    return size;
  }

  /** The number of ones. */
  long ones() {
    return ones;
  }

  boolean get(long bit) {
    return get(words, bit);
  }

  /** The number of ones before a bit. */
  long rank(long bit) {
    int word = (int) (bit >>> WORD_SHIFT);
    int block = word / BLOCK_WORDS;
    long rank = Integer.toUnsignedLong(ranks[block]);
    for (int i = block * BLOCK_WORDS; i < word; i++) {
      rank += Long.bitCount(words[i]);
    }
    return rank + Long.bitCount(words[word] & ((1L << bit) - 1));
  }

  /** The bit that is the one with the given number of ones before it. */
  long select(long rank) {
    int block = blockOf(rank);
    int left = (int) (rank - Integer.toUnsignedLong(ranks[block]));
    int word = block * BLOCK_WORDS;
    int count = Long.bitCount(words[word]);
    while (left >= count) {
      left -= count;
      word++;
      count = Long.bitCount(words[word]);
    }
    long bits = words[word];
    for (; left > 0; left--) {
      bits &= bits - 1;
    }
    return word * 64L + Long.numberOfTrailingZeros(bits);
  }

  // The last block with at most `rank` ones before it.
  private int blockOf(long rank) {
    int low = 0;
    int high = ranks.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (Integer.toUnsignedLong(ranks[middle]) <= rank) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Copies the positions of {@code count} ones, plus {@code base}, from the given one on. */
  void copy(long rank, int count, long base, long[] target, int at) {
    if (count == 0) {
      return;
    }
    long first = select(rank);
    int word = (int) (first / 64);
    long bits = words[word] & -1L << first;
    for (int i = 0; i < count; i++) {
      while (bits == 0) {
        bits = words[++word];
      }
      target[at + i] = base + word * 64L + Long.numberOfTrailingZeros(bits);
      bits &= bits - 1;
    }
  }

  long memoryBytes() {
    return OBJECT_BYTES + words.length * 8L + ranks.length * 4L;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RankedBits that
        && size == that.size
        && Arrays.equals(words, that.words);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(words);
  }
}
