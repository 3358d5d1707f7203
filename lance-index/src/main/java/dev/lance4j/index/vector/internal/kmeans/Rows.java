package dev.lance4j.index.vector.internal.kmeans;

/**
 * Vectors to be clustered, which may be parts of longer ones.
 *
 * @param values of all
 * @param from the first value of the first vector
 * @param stride from vector to vector
 * @param count the number of vectors
 * @param dimension of a vector
 */
public record Rows(float[] values, int from, int stride, int count, int dimension) {
  /** Vectors that follow each other. */
  public static Rows of(float[] values, int count, int dimension) {
    return new Rows(values, 0, dimension, count, dimension);
  }

  /** The place of a vector's first value. */
  int at(int row) {
    return from + row * stride;
  }

  /** At most the first {@code most} vectors. */
  public Rows first(long most) {
    return new Rows(values, from, stride, (int) Math.min(count, most), dimension);
  }

  /** Some of the vectors, copied. */
  Rows gather(int[] rows, int rowCount) {
    float[] gathered = new float[Math.multiplyExact(rowCount, dimension)];
    for (int i = 0; i < rowCount; i++) {
      System.arraycopy(values, at(rows[i]), gathered, i * dimension, dimension);
    }
    return of(gathered, rowCount, dimension);
  }
}
