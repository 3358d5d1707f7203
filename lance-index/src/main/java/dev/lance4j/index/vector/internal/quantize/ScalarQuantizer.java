package dev.lance4j.index.vector.internal.quantize;

/**
 * A byte for each component: where it lies between bounds that all components share.
 *
 * @param start what code 0 stands for
 * @param end what code 255 stands for
 */
public record ScalarQuantizer(int dimension, double start, double end) implements Quantizer {
  /** The number of bits of a code for one component. */
  public static final int BITS = 8;

  private static final int MAX_CODE = 255;

  /**
   * Takes the least and greatest component of vectors as bounds.
   *
   * @param values finite
   */
  public static ScalarQuantizer train(int dimension, float[] values, int count) {
    double least = count == 0 ? 0 : values[0];
    double greatest = least;
    for (int i = 0; i < count; i++) {
      least = Math.min(least, values[i]);
      greatest = Math.max(greatest, values[i]);
    }
    return new ScalarQuantizer(dimension, least, greatest);
  }

  @Override
  public boolean sameAs(Quantizer that) {
    return equals(that);
  }

  @Override
  public int codeBytes() {
    return dimension;
  }

  /** The code of a vector; components outside the bounds get the nearest code. */
  public void encode(float[] vector, int from, byte[] out, int at) {
    double range = end - start;
    for (int d = 0; d < dimension; d++) {
      // A component that is not a number, as when both bounds are equal, becomes 0.
      int code = (int) ((vector[from + d] - start) * MAX_CODE / range);
      out[at + d] = (byte) Math.max(0, Math.min(MAX_CODE, code));
    }
  }

  /** By how much a component grows from code to code. */
  public double step() {
    return (end - start) / MAX_CODE;
  }
}
