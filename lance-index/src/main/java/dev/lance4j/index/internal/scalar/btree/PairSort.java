package dev.lance4j.index.internal.scalar.btree;

/** Sorts numbers together with other numbers that go with them. */
final class PairSort {
  private static final int DIGIT_BITS = 8;
  private static final int DIGITS = 1 << DIGIT_BITS;
  private static final int FEW = 48;

  private PairSort() {}

  /** Sorts the first keys; what goes with equal keys stays in its order. */
  static void sort(long[] keys, long[] rows, int count) {
    if (count <= FEW) {
      insertionSort(keys, rows, count);
      return;
    }
    long min = keys[0];
    long max = keys[0];
    boolean ascends = true;
    for (int i = 1; i < count; i++) {
      ascends &= keys[i - 1] <= keys[i];
      min = Math.min(min, keys[i]);
      max = Math.max(max, keys[i]);
    }
    if (!ascends) {
      radixSort(keys, rows, count, min, max);
    }
  }

  private static void insertionSort(long[] keys, long[] rows, int count) {
    for (int i = 1; i < count; i++) {
      long key = keys[i];
      long row = rows[i];
      int at = i;
      while (at > 0 && keys[at - 1] > key) {
        keys[at] = keys[at - 1];
        rows[at] = rows[at - 1];
        at--;
      }
      keys[at] = key;
      rows[at] = row;
    }
  }

  /** Sorts by the digits of the distances from the least key, the lowest digit first. */
  private static void radixSort(long[] keys, long[] rows, int count, long min, long max) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(max - min);
    long[] fromKeys = keys;
    long[] fromRows = rows;
    long[] toKeys = new long[count];
    long[] toRows = new long[count];
    for (int shift = 0; shift < bits; shift += DIGIT_BITS) {
      int[] next = starts(fromKeys, count, min, shift);
      for (int i = 0; i < count; i++) {
        long key = fromKeys[i];
        int to = next[(int) ((key - min) >>> shift) & (DIGITS - 1)]++;
        toKeys[to] = key;
        toRows[to] = fromRows[i];
      }
      long[] swap = fromKeys;
      fromKeys = toKeys;
      toKeys = swap;
      swap = fromRows;
      fromRows = toRows;
      toRows = swap;
    }
    if (fromKeys != keys) {
      System.arraycopy(fromKeys, 0, keys, 0, count);
      System.arraycopy(fromRows, 0, rows, 0, count);
    }
  }

  /** Where the keys with each digit begin in the order of the digits. */
  private static int[] starts(long[] keys, int count, long min, int shift) {
    int[] counts = new int[DIGITS];
    for (int i = 0; i < count; i++) {
      counts[(int) ((keys[i] - min) >>> shift) & (DIGITS - 1)]++;
    }
    int start = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
      int size = counts[digit];
      counts[digit] = start;
      start += size;
    }
    return counts;
  }
}
