package dev.lance4j.format.internal.sort;

import dev.lance4j.format.LanceException;
import java.util.Arrays;

/** Bytes that grow. */
final class KeyBytes {
  private byte[] bytes = new byte[1024];
  private int size;

  int size() {
    return size;
  }

  /** Forgets the bytes. */
  void clear() {
    size = 0;
  }

  byte[] array() {
    return bytes;
  }

  /** Makes room for more bytes. */
  void reserve(int more) {
    if (more > bytes.length - size) {
      long wanted = Math.max(bytes.length * 2L, (long) size + more);
      if (size + (long) more > Integer.MAX_VALUE - 8) {
        throw new LanceException("The sort keys of a batch exceed 2 GiB; read smaller batches");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 8));
    }
  }

  /** Appends a byte for which room was made. */
  void put(int value) {
    bytes[size++] = (byte) value;
  }

  /** Appends the low bytes of a number, the highest of them first; room was made. */
  void putBigEndian(long value, int width) {
    for (int shift = 8 * (width - 1); shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
  }

  /** Flips all bits from a position on. */
  void invert(int from) {
    for (int i = from; i < size; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
  }
}
