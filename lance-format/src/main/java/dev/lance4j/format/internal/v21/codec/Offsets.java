package dev.lance4j.format.internal.v21.codec;

import java.nio.ByteBuffer;

/** Reads the offsets of strings. */
final class Offsets {
  private Offsets() {}

  /**
   * Reads {@code count + 1} offsets and rebases them so that the first becomes {@code dataAt}.
   *
   * @param in offsets from {@code at} on; the strings reach to the limit at most
   * @param width of an offset, 4 or 8 bytes
   * @throws IllegalArgumentException if they do not ascend or leave the buffer
   */
  static int[] read(ByteBuffer in, int at, int width, int count, int dataAt) {
    int[] offsets = new int[count + 1];
    if (width == Integer.BYTES) {
      Bytes.slice(in, at, offsets.length * Integer.BYTES).asIntBuffer().get(offsets);
    } else {
      for (int i = 0; i <= count; i++) {
        offsets[i] = narrow(in.getLong(at + i * Long.BYTES));
      }
    }
    int shift = dataAt - offsets[0];
    int previous = dataAt;
    boolean ascending = true;
    for (int i = 0; i <= count; i++) {
      int offset = offsets[i] + shift;
      ascending &= offset >= previous;
      previous = offset;
      offsets[i] = offset;
    }
    if (!ascending || previous > in.limit()) {
      throw new IllegalArgumentException("string offsets that do not ascend inside the buffer");
    }
    return offsets;
  }

  private static int narrow(long offset) {
    if (offset < 0 || offset > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("a string offset of " + offset);
    }
    return (int) offset;
  }
}
