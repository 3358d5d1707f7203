package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.internal.hash.XxHash64;
import java.util.Arrays;

/** Numbers different keys in the order in which they appear. For use by one thread. */
final class KeyTable {
  private static final int INITIAL_SLOTS = 1 << 7;

  private byte[] bytes = new byte[1 << 10];
  private int[] ends = new int[1 << 6];
  // The number of a key plus one, or 0.
  private int[] slots = new int[INITIAL_SLOTS];
  private int size;

  int size() {
    return size;
  }

  /** The number of bytes of all keys. */
  int bytes() {
    return start(size);
  }

  /** About how many bytes of memory the table takes. */
  long memoryBytes() {
    return (long) bytes.length + 4L * (ends.length + slots.length);
  }

  /** The number of a key: that of the next one if it was not there. */
  int add(byte[] key, int length) {
    int mask = slots.length - 1;
    int slot = (int) XxHash64.hash(key, 0, length) & mask;
    while (slots[slot] != 0) {
      int number = slots[slot] - 1;
      if (Arrays.equals(bytes, start(number), ends[number], key, 0, length)) {
        return number;
      }
      slot = (slot + 1) & mask;
    }
    append(key, length);
    slots[slot] = size;
    if (2L * size > slots.length) {
      rehash();
    }
    return size - 1;
  }

  private int start(int number) {
    return number == 0 ? 0 : ends[number - 1];
  }

  private void append(byte[] key, int length) {
    int start = start(size);
    int end = Math.addExact(start, length);
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.max(end, Math.min(2L * bytes.length, 1 << 30)));
    }
    System.arraycopy(key, 0, bytes, start, length);
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, 2 * size);
    }
    ends[size++] = end;
  }

  private void rehash() {
    int mask = 2 * slots.length - 1;
    slots = new int[mask + 1];
    for (int number = 0; number < size; number++) {
      int length = ends[number] - start(number);
      int slot = (int) XxHash64.hash(bytes, start(number), length) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = number + 1;
    }
  }
}
