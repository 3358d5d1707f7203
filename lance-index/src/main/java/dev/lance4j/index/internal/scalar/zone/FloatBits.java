package dev.lance4j.index.internal.scalar.zone;

import dev.lance4j.format.internal.data.ArrayLayout;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Tells values that are no numbers by their bits. */
final class FloatBits {
  private final boolean floating;
  private final int width;
  private final long exponent;
  private final long magnitude;

  private FloatBits(boolean floating, int width, int fractionBits) {
    this.floating = floating;
    this.width = width;
    this.magnitude = -1L >>> (Long.SIZE - 8 * width + 1);
    this.exponent = magnitude & (-1L << fractionBits);
  }

  /** The bits of values of a field, which need not be of floating-point numbers. */
  static FloatBits of(Field field) {
    if (field.getType() instanceof ArrowType.FloatingPoint type) {
      int width = ArrayLayout.of(field).bits() / Byte.SIZE;
      return switch (type.getPrecision()) {
        case HALF -> new FloatBits(true, width, 10);
        case SINGLE -> new FloatBits(true, width, 23);
        case DOUBLE -> new FloatBits(true, width, 52);
      };
    }
    return new FloatBits(false, Long.BYTES, 0);
  }

  /** Whether values can be no numbers. */
  boolean isFloating() {
    return floating;
  }

  /** Whether a value is no number, whatever its sign. */
  boolean isNaN(byte[] value) {
    if (!floating) {
      return false;
    }
    long bits = 0;
    for (int i = width - 1; i >= 0; i--) {
      bits = bits << 8 | (value[i] & 0xFF);
    }
    return (bits & magnitude) > exponent;
  }
}
