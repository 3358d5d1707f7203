package dev.lance4j.rowid.internal;

import java.util.Arrays;

/** Pairs of a row id and a row address that grow at the end and can be sorted by id. */
final class RowPairs {
  private static final int DIGIT_BITS = 11;
  private static final int DIGITS = 1 << DIGIT_BITS;

  private long[] rowIds;
  private long[] rowAddresses;
  private int size;

  RowPairs(int capacity) {
    rowIds = new long[capacity];
    rowAddresses = new long[capacity];
  }

  void add(long rowId, long rowAddress) {
    rowIds[size] = rowId;
    rowAddresses[size] = rowAddress;
    size++;
  }

  int size() {
    return size;
  }

  long rowId(int index) {
    return rowIds[index];
  }

  long rowAddress(int index) {
    return rowAddresses[index];
  }

  long[] rowAddresses() {
    return Arrays.copyOf(rowAddresses, size);
  }

  /** Sorts by id as unsigned number: by one digit after the other, the lowest first. */
  void sort() {
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
    long[] sortedAddresses = new long[size];
    for (int shift = 0; shift < Long.SIZE; shift += DIGIT_BITS) {
      if ((differing >>> shift & (DIGITS - 1)) != 0) {
        distribute(shift, sortedIds, sortedAddresses);
        long[] ids = rowIds;
        long[] addresses = rowAddresses;
        rowIds = sortedIds;
        rowAddresses = sortedAddresses;
        sortedIds = ids;
        sortedAddresses = addresses;
      }
    }
  }

  private void distribute(int shift, long[] sortedIds, long[] sortedAddresses) {
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
      sortedAddresses[target] = rowAddresses[i];
    }
  }
}
