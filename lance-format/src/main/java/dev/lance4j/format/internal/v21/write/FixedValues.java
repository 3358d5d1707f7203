package dev.lance4j.format.internal.v21.write;

import java.nio.ByteBuffer;

/** Values of 8, 16, 32 or 64 bits as unsigned numbers. */
final class FixedValues {
  private FixedValues() {}

  /** Whether the values of a block are numbers of such a width. */
  static boolean areNumbers(FixedBlock block) {
    int bits = block.bits();
    return bits == Byte.SIZE || bits == Short.SIZE || bits == Integer.SIZE || bits == Long.SIZE;
  }

  /** Puts values into the start of {@code out}. */
  static void read(FixedBlock block, int from, int count, long[] out) {
    ByteBuffer in = block.values();
    switch (block.bits()) {
      case Byte.SIZE -> {
        for (int i = 0; i < count; i++) {
          out[i] = in.get(from + i) & 0xFFL;
        }
      }
      case Short.SIZE -> {
        for (int i = 0; i < count; i++) {
          out[i] = in.getShort((from + i) * Short.BYTES) & 0xFFFFL;
        }
      }
      case Integer.SIZE -> {
        for (int i = 0; i < count; i++) {
          out[i] = in.getInt((from + i) * Integer.BYTES) & 0xFFFFFFFFL;
        }
      }
      case Long.SIZE -> in.asLongBuffer().get(from, out, 0, count);
      default -> throw new IllegalArgumentException(block.bits() + " bits are not a number");
    }
  }

  /** Puts a number of {@code bytes} bytes. */
  static void put(ByteBuffer out, int at, int bytes, long value) {
    switch (bytes) {
      case Byte.BYTES -> out.put(at, (byte) value);
      case Short.BYTES -> out.putShort(at, (short) value);
      case Integer.BYTES -> out.putInt(at, (int) value);
      case Long.BYTES -> out.putLong(at, value);
      default -> throw new IllegalArgumentException(bytes + " bytes are not a number");
    }
  }

  /** The number of bits of the largest of some unsigned numbers. */
  static int bitWidth(long[] values, int count) {
    long all = 0;
    for (int i = 0; i < count; i++) {
      all |= values[i];
    }
    return Long.SIZE - Long.numberOfLeadingZeros(all);
  }
}
