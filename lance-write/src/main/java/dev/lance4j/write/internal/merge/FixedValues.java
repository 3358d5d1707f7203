package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.data.ArrayData;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Arrays of values of at most 64 bits as numbers, and numbers as such arrays. */
final class FixedValues {
  private FixedValues() {}

  /**
   * @param bits of a value: 1, 8, 16, 32 or 64
   */
  static long[] read(ArrayData array, int bits, int rows) {
    long[] values = new long[rows];
    ArrowBuf buffer = array.buffer(1);
    switch (bits) {
      case 1 -> {
        for (int i = 0; i < rows; i++) {
          values[i] = buffer.getByte(i >> 3) >> (i & 7) & 1;
        }
      }
      case 8 -> {
        for (int i = 0; i < rows; i++) {
          values[i] = buffer.getByte(i);
        }
      }
      case 16 -> {
        for (int i = 0; i < rows; i++) {
          values[i] = buffer.getShort(2L * i);
        }
      }
      case 32 -> {
        for (int i = 0; i < rows; i++) {
          values[i] = buffer.getInt(4L * i);
        }
      }
      default -> {
        for (int i = 0; i < rows; i++) {
          values[i] = buffer.getLong(8L * i);
        }
      }
    }
    return values;
  }

  /** Numbers as an array of 64-bit values, owned by the caller. */
  static ArrayData of(long[] values, BufferAllocator allocator) {
    ArrowBuf buffer = allocator.buffer(Math.max(1, 8L * values.length));
    for (int i = 0; i < values.length; i++) {
      buffer.setLong(8L * i, values[i]);
    }
    return new ArrayData(values.length, 0, new ArrowBuf[] {null, buffer});
  }
}
