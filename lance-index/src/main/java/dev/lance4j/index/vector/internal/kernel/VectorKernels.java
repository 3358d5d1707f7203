package dev.lance4j.index.vector.internal.kernel;

/**
 * The loops over the components of vectors. Vectors are rows of {@code dimension} values, one after
 * the other in an array; nothing is checked beyond the bounds of arrays. Sums of floats are taken
 * in any order, so that kinds of kernels agree up to rounding; sums of integers agree exactly.
 */
public interface VectorKernels {
  /** What the kernels run on, for reports. */
  String name();

  /** The squared Euclidean distance of two vectors. */
  float l2(float[] a, int aFrom, float[] b, int bFrom, int dimension);

  /** The dot product of two vectors. */
  float dot(float[] a, int aFrom, float[] b, int bFrom, int dimension);

  /**
   * The squared Euclidean distances of a vector to {@code count} rows.
   *
   * @param query of the dimension of the rows
   * @param from the first value of the first row
   * @param at where the first distance goes
   */
  void l2(float[] query, float[] rows, int from, int count, float[] out, int at);

  /** The dot products of a vector and {@code count} rows; parameters as above. */
  void dot(float[] query, float[] rows, int from, int count, float[] out, int at);

  /** The squared norms of {@code count} rows; parameters as above. */
  void squaredNorms(float[] rows, int from, int count, int dimension, float[] out, int at);

  /** As for single precision, with sums in double precision. */
  void l2(double[] query, double[] rows, int from, int count, float[] out, int at);

  /** As for single precision, with sums in double precision. */
  void dot(double[] query, double[] rows, int from, int count, double[] out, int at);

  /** The squared Euclidean distance of two vectors of signed bytes, at most 32768 of them. */
  int l2(byte[] a, int aFrom, byte[] b, int bFrom, int dimension);

  /** The dot product of two vectors of signed bytes, at most 131072 of them. */
  int dot(byte[] a, int aFrom, byte[] b, int bFrom, int dimension);

  /** The squared Euclidean distances of a vector of signed bytes to {@code count} rows. */
  default void l2(byte[] query, byte[] rows, int from, int count, int[] out, int at) {
    int dimension = query.length;
    for (int r = 0; r < count; r++) {
      out[at + r] = l2(query, 0, rows, from + r * dimension, dimension);
    }
  }

  /** The dot products of a vector of signed bytes and {@code count} rows. */
  default void dot(byte[] query, byte[] rows, int from, int count, int[] out, int at) {
    int dimension = query.length;
    for (int r = 0; r < count; r++) {
      out[at + r] = dot(query, 0, rows, from + r * dimension, dimension);
    }
  }

  /** The number of bits that differ between two vectors of bits. */
  default int hamming(byte[] a, int aFrom, byte[] b, int bFrom, int bytes) {
    return BitKernels.differing(a, aFrom, b, bFrom, bytes);
  }

  /** The numbers of bits that differ between a vector of bits and {@code count} rows. */
  default void hamming(byte[] query, byte[] rows, int from, int count, int[] out, int at) {
    int bytes = query.length;
    for (int r = 0; r < count; r++) {
      out[at + r] = BitKernels.differing(query, 0, rows, from + r * bytes, bytes);
    }
  }

  /** How many centroids a panel holds: see {@link Panels}. */
  int panelWidth();

  /**
   * The values of one row against all centroids of some panels: squared Euclidean distances, or dot
   * products.
   *
   * @param at where the value of the first centroid goes; those of the padding follow
   */
  void againstPanels(
      boolean dot,
      float[] row,
      int from,
      float[] panels,
      int panelsFrom,
      int panelCount,
      int dimension,
      float[] out,
      int at);

  /**
   * The nearest centroid of each of {@code count} rows: the one with the least sum of its bias and
   * the squared Euclidean distance, or the negated dot product. Of equals the first; if no sum is
   * less than infinity, centroid 0 and infinity.
   *
   * @param from the first value of the first row
   * @param stride from row to row
   * @param bias of each centroid and the padding, which must be infinite there
   * @param nearest takes the centroid of each row, from 0 on
   * @param value takes its sum, from 0 on
   */
  void nearest(
      boolean dot,
      float[] rows,
      int from,
      int stride,
      int count,
      float[] panels,
      int panelsFrom,
      int panelCount,
      int dimension,
      float[] bias,
      int[] nearest,
      float[] value);
}
