package dev.lance4j.format.internal.kernel;

import java.util.Arrays;

/** Byte strings of 1 to 8 bytes that may become symbols, with the gain that each promises. */
final class FsstCandidates {
  private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

  private final long[] symbols;
  private final byte[] lengths;
  private final int[] gains;

  /** Open addressing: one more than the index of a candidate, or 0. */
  private final int[] slots;

  private final int hashShift;
  private int count;

  /**
   * @param capacity the most candidates that can be added
   */
  FsstCandidates(int capacity) {
    symbols = new long[capacity];
    lengths = new byte[capacity];
    gains = new int[capacity];
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(2 * capacity);
    slots = new int[1 << bits];
    hashShift = Long.SIZE - bits;
  }

  /** Adds a candidate, or to the gain of one that is there already. */
  void add(long symbol, int length, int gain) {
    int slot = (int) (((symbol + length) * HASH_FACTOR) >>> hashShift);
    while (slots[slot] != 0) {
      int index = slots[slot] - 1;
      if (symbols[index] == symbol && lengths[index] == length) {
        gains[index] += gain;
        return;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    symbols[count] = symbol;
    lengths[count] = (byte) length;
    gains[count] = gain;
    count++;
    slots[slot] = count;
  }

  /** A table of the candidates with the highest gain; of equal ones the first added wins. */
  FsstTable best() {
    long[] order = new long[count];
    for (int i = 0; i < count; i++) {
      order[i] = ((long) -gains[i] << Integer.SIZE) | i;
    }
    Arrays.sort(order);
    int chosen = Math.min(count, FsstTable.MAX_SYMBOLS);
    long[] bestSymbols = new long[chosen];
    byte[] bestLengths = new byte[chosen];
    for (int i = 0; i < chosen; i++) {
      int index = (int) order[i];
      bestSymbols[i] = symbols[index];
      bestLengths[i] = lengths[index];
    }
    return FsstTable.of(chosen, bestSymbols, bestLengths);
  }
}
