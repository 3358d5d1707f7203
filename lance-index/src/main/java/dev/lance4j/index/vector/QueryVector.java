package dev.lance4j.index.vector;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.vector.internal.storage.Elements;

/**
 * The vector whose neighbours are sought, prepared for a metric.
 *
 * @param floats its components; null for a vector of bits
 * @param doubles its components in double precision; null for a vector of bits
 * @param bits its bytes; null unless it is a vector of bits
 */
public record QueryVector(float[] floats, double[] doubles, byte[] bits) {
  /** A vector of numbers. */
  public static QueryVector of(float[] values) {
    double[] doubles = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      doubles[i] = values[i];
    }
    return new QueryVector(values.clone(), doubles, null);
  }

  /** A vector of numbers in double precision. */
  public static QueryVector of(double[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      floats[i] = (float) values[i];
    }
    return new QueryVector(floats, values.clone(), null);
  }

  /** A vector of bits, eight in a byte. */
  public static QueryVector ofBits(byte[] bits) {
    return new QueryVector(null, null, bits.clone());
  }

  /** The number of components; for a vector of bits, of bytes. */
  public int dimension() {
    return bits != null ? bits.length : floats.length;
  }

  /**
   * The vector as it is compared with those of a column: of the same precision, and of unit length
   * for cosine.
   */
  public QueryVector preparedFor(Metric metric, VectorElement element) {
    if (element.isBits()) {
      return this;
    }
    QueryVector rounded = this;
    if (element.bytes() == Short.BYTES) {
      float[] values = floats.clone();
      Elements.round(element, values);
      rounded = of(values);
    }
    return metric == Metric.COSINE ? rounded.unit() : rounded;
  }

  private QueryVector unit() {
    double squares = 0;
    for (double value : doubles) {
      squares += value * value;
    }
    double norm = Math.sqrt(squares);
    double[] unit = new double[doubles.length];
    for (int i = 0; i < unit.length; i++) {
      unit[i] = doubles[i] / norm;
    }
    return of(unit);
  }

  /**
   * Checks that a column has vectors of this kind.
   *
   * @throws InvalidInputException if it has not
   */
  public void check(int dimension, boolean isBits) {
    if (dimension() == 0) {
      throw new InvalidInputException("Query vector must have non-zero length");
    }
    if (isBits != (bits != null)) {
      throw new InvalidInputException(
          isBits
              ? "The column has vectors of bits: give the query as bytes"
              : "The column has vectors of numbers, the query is one of bits");
    }
    if (dimension() != dimension) {
      throw new InvalidInputException(
          String.format(
              "query dim(%d) doesn't match the vector dim(%d) of the column",
              dimension(), dimension));
    }
  }
}
