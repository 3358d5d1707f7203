package dev.lance4j.index.vector.internal.kernel;

import java.util.Arrays;

/**
 * Centroids arranged for comparing many rows with all of them. A panel holds the first components
 * of some centroids, then their second ones and so on, so that one instruction takes the same
 * component of several centroids; the last panel is padded.
 *
 * @param values all panels, one after the other
 * @param count the number of centroids
 * @param dimension of a centroid
 * @param bias no preference: 0 for each centroid, infinite for the padding
 */
public record Panels(float[] values, int count, int dimension, float[] bias) {
  /**
   * Arranges centroids.
   *
   * @param centroids row after row
   * @param from the first value of the first row
   */
  public static Panels of(float[] centroids, int from, int count, int dimension) {
    int width = Kernels.get().panelWidth();
    int panels = panels(count, width);
    float[] values = new float[Math.multiplyExact(Math.multiplyExact(panels, width), dimension)];
    fill(centroids, from, count, dimension, width, values, 0);
    float[] bias = new float[panels * width];
    Arrays.fill(bias, count, bias.length, Float.POSITIVE_INFINITY);
    return new Panels(values, count, dimension, bias);
  }

  /** The number of panels for so many centroids. */
  static int panels(int count, int width) {
    return (count + width - 1) / width;
  }

  /** Arranges centroids at a place of an array that holds zeros. */
  static void fill(
      float[] centroids, int from, int count, int dimension, int width, float[] values, int at) {
    for (int c = 0; c < count; c++) {
      int target = at + c / width * width * dimension + c % width;
      int source = from + c * dimension;
      for (int d = 0; d < dimension; d++) {
        values[target + d * width] = centroids[source + d];
      }
    }
  }

  /** The number of panels. */
  public int panelCount() {
    return bias.length / Kernels.get().panelWidth();
  }

  /** The number of centroids with the padding. */
  public int padded() {
    return bias.length;
  }

  /**
   * Finds the nearest centroid of each row; see {@link VectorKernels#nearest}.
   *
   * @param biases as many as {@link #padded}
   */
  public void nearest(
      boolean dot,
      float[] rows,
      int from,
      int stride,
      int rowCount,
      float[] biases,
      int[] nearest,
      float[] value) {
    Kernels.get()
        .nearest(
            dot,
            rows,
            from,
            stride,
            rowCount,
            values,
            0,
            panelCount(),
            dimension,
            biases,
            nearest,
            value);
  }

  /** The values of one row against all centroids; see {@link VectorKernels#againstPanels}. */
  public void against(boolean dot, float[] row, int from, float[] out, int at) {
    Kernels.get().againstPanels(dot, row, from, values, 0, panelCount(), dimension, out, at);
  }
}
