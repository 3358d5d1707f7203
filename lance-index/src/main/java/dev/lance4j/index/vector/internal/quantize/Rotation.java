package dev.lance4j.index.vector.internal.quantize;

/** Turns vectors so that no component stands out. Lengths and angles stay as they are. */
public sealed interface Rotation permits FastRotation, MatrixRotation {
  /** The number of components of a turned vector, not less than that of a vector. */
  int codeDimension();

  /** Whether another one turns all vectors in the same way. */
  boolean sameAs(Rotation that);

  /**
   * Turns a vector.
   *
   * @param vector which may have fewer components than there are in the end
   * @param out takes {@link #codeDimension} components from 0 on
   */
  void rotate(float[] vector, int from, int dimension, float[] out);
}
