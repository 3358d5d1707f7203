package dev.lance4j.index.vector.internal.kernel;

/** Numbers of 16 bits, in both formats, to and from single precision. */
public final class Halves {
  private static final int HALF_MAGNITUDE = 0x7FFF;
  private static final int HALF_SIGN = 0x8000;

  /** Single precision has 13 more bits of fraction. */
  private static final int FRACTION_SHIFT = 13;

  /** What the difference between the biases of the exponents, 112, amounts to. */
  private static final float REBIAS = 0x1p112f;

  /** The least number that is out of the range of half precision once scaled. */
  private static final float OVERFLOW = 65536f;

  private static final int INFINITY_BITS = 0x7F800000;

  private Halves() {}

  /** The value of a number in half precision. */
  public static float half(short bits) {
    // Scaling makes subnormal numbers right without a branch.
    float magnitude = Float.intBitsToFloat((bits & HALF_MAGNITUDE) << FRACTION_SHIFT) * REBIAS;
    int result = Float.floatToRawIntBits(magnitude);
    if (magnitude >= OVERFLOW) {
      result |= INFINITY_BITS;
    }
    return Float.intBitsToFloat(result | ((bits & HALF_SIGN) << 16));
  }

  /** The nearest number in half precision; of two, the one with an even last bit. */
  public static short toHalf(float value) {
    int bits = Float.floatToRawIntBits(value);
    int sign = (bits >>> 16) & HALF_SIGN;
    float magnitude = Math.abs(value);
    if (Float.isNaN(magnitude)) {
      return (short) (sign | 0x7E00);
    }
    if (magnitude >= 65520f) {
      return (short) (sign | 0x7C00);
    }
    if (magnitude < 0x1p-14f) {
      // Adding 2^-1 leaves multiples of 2^-24, rounded, in the low bits of the fraction.
      int rounded = Float.floatToRawIntBits(magnitude + 0.5f) - Float.floatToRawIntBits(0.5f);
      return (short) (sign | rounded);
    }
    int shifted = (bits & 0x7FFFFFFF) - (112 << 23);
    int odd = (shifted >>> FRACTION_SHIFT) & 1;
    return (short) (sign | ((shifted + 0xFFF + odd) >>> FRACTION_SHIFT));
  }

  /** The value of a bfloat16. */
  public static float brain(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  /** The nearest bfloat16; of two, the one with an even last bit. */
  public static short toBrain(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (short) ((bits >>> 16) | 0x40);
    }
    return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
  }
}
