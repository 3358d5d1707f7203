package dev.lance4j.write.internal.merge;

import java.util.Arrays;

/** Numbers that are collected. */
final class LongList {
  private long[] values = new long[16];
  private int size;

  void add(long value) {
    if (size == values.length) {
      values =
          Arrays.copyOf(
              values, Math.max(size + 1, (int) Math.min(2L * size, Integer.MAX_VALUE - 8)));
    }
    values[size++] = value;
  }

  int size() {
    return size;
  }

  long get(int index) {
    return values[index];
  }

  long[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
