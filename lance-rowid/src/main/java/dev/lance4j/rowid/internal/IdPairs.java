package dev.lance4j.rowid.internal;

import java.util.Arrays;

/** Pairs of a row id and a number, to be filled and then sorted by id. */
public final class IdPairs {
  private static final int DIGIT_BITS = 11;
  private static final int DIGITS = 1 << DIGIT_BITS;

  private long[] rowIds;
  private long[] values;
  private int size;

  /** Room for a number of pairs. */
  public IdPairs(int capacity) {
    rowIds = new long[capacity];
    values = new long[capacity];
  }

  /** Appends a pair. */
  public void add(long rowId, long value) {
    rowIds[size] = rowId;
    values[size] = value;
    size++;
  }

  int size() {
    return size;
  }

  long rowId(int index) {
    return rowIds[index];
  }

  long value(int index) {
    return values[index];
  }

  long[] values() {
    return Arrays.copyOf(values, size);
  }

  /**
   * Sorts by id as unsigned number, by one digit after the other, the lowest first. Pairs with the
   * same id stay in their order.
   */
  public void sort() {
    long differing = 0;
    boolean sorted = true;
    for (int i = 1; i < size; i++) {
      differing |= rowIds[i] ^ rowIds[0];
      sorted &= Long.compareUnsigned(rowIds[i - 1], rowIds[i]) <= 0;
    }
    if (sorted) {
      return;
    }
    long[] sortedIds = new long[size];
    long[] sortedValues = new long[size];
    for (int shift = 0; shift < Long.SIZE; shift += DIGIT_BITS) {
      if ((differing >>> shift & (DIGITS - 1)) != 0) {
        distribute(shift, sortedIds, sortedValues);
        long[] ids = rowIds;
        long[] numbers = values;
        rowIds = sortedIds;
        values = sortedValues;
        sortedIds = ids;
        sortedValues = numbers;
      }
    }
  }

  /** Drops pairs from sorted ones so that the first of each id is left. */
  public void keepFirst() {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (kept == 0 || rowIds[kept - 1] != rowIds[i]) {
        rowIds[kept] = rowIds[i];
        values[kept] = values[i];
        kept++;
      }
    }
    size = kept;
  }

  private void distribute(int shift, long[] sortedIds, long[] sortedValues) {
    int[] next = new int[DIGITS + 1];
    for (int i = 0; i < size; i++) {
      next[(int) (rowIds[i] >>> shift & (DIGITS - 1)) + 1]++;
    }
    for (int digit = 1; digit < DIGITS; digit++) {
      next[digit] += next[digit - 1];
    }
    for (int i = 0; i < size; i++) {
      int target = next[(int) (rowIds[i] >>> shift & (DIGITS - 1))]++;
      sortedIds[target] = rowIds[i];
      sortedValues[target] = values[i];
    }
  }
}
