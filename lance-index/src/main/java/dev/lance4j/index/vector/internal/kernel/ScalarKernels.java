package dev.lance4j.index.vector.internal.kernel;

import java.util.Arrays;

/**
 * Kernels in plain Java. Sums have several accumulators, so that additions do not wait for each
 * other; loops over the centroids of a panel are of the form that the JIT turns into vector
 * instructions by itself.
 */
final class ScalarKernels implements VectorKernels {
  private static final int PANEL = 256;

  /** Rows that are compared with a panel together. */
  private static final int BLOCK = 16;

  @Override
  public String name() {
    return "plain Java";
  }

  @Override
  public float l2(float[] a, int aFrom, float[] b, int bFrom, int dimension) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    int i = 0;
    for (int end = dimension - 3; i < end; i += 4) {
      float d0 = a[aFrom + i] - b[bFrom + i];
      float d1 = a[aFrom + i + 1] - b[bFrom + i + 1];
      float d2 = a[aFrom + i + 2] - b[bFrom + i + 2];
      float d3 = a[aFrom + i + 3] - b[bFrom + i + 3];
      s0 += d0 * d0;
      s1 += d1 * d1;
      s2 += d2 * d2;
      s3 += d3 * d3;
    }
    for (; i < dimension; i++) {
      float d = a[aFrom + i] - b[bFrom + i];
      s0 += d * d;
    }
    return s0 + s1 + (s2 + s3);
  }

  @Override
  public float dot(float[] a, int aFrom, float[] b, int bFrom, int dimension) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    int i = 0;
    for (int end = dimension - 3; i < end; i += 4) {
      s0 += a[aFrom + i] * b[bFrom + i];
      s1 += a[aFrom + i + 1] * b[bFrom + i + 1];
      s2 += a[aFrom + i + 2] * b[bFrom + i + 2];
      s3 += a[aFrom + i + 3] * b[bFrom + i + 3];
    }
    for (; i < dimension; i++) {
      s0 += a[aFrom + i] * b[bFrom + i];
    }
    return s0 + s1 + (s2 + s3);
  }

  @Override
  public void l2(float[] query, float[] rows, int from, int count, float[] out, int at) {
    int dimension = query.length;
    int r = 0;
    for (; r + 4 <= count; r += 4) {
      int x = from + r * dimension;
      int y = x + dimension;
      int z = y + dimension;
      int w = z + dimension;
      float s0 = 0;
      float s1 = 0;
      float s2 = 0;
      float s3 = 0;
      for (int i = 0; i < dimension; i++) {
        float q = query[i];
        float d0 = q - rows[x + i];
        float d1 = q - rows[y + i];
        float d2 = q - rows[z + i];
        float d3 = q - rows[w + i];
        s0 += d0 * d0;
        s1 += d1 * d1;
        s2 += d2 * d2;
        s3 += d3 * d3;
      }
      out[at + r] = s0;
      out[at + r + 1] = s1;
      out[at + r + 2] = s2;
      out[at + r + 3] = s3;
    }
    for (; r < count; r++) {
      out[at + r] = l2(query, 0, rows, from + r * dimension, dimension);
    }
  }

  @Override
  public void dot(float[] query, float[] rows, int from, int count, float[] out, int at) {
    int dimension = query.length;
    int r = 0;
    for (; r + 4 <= count; r += 4) {
      int x = from + r * dimension;
      int y = x + dimension;
      int z = y + dimension;
      int w = z + dimension;
      float s0 = 0;
      float s1 = 0;
      float s2 = 0;
      float s3 = 0;
      for (int i = 0; i < dimension; i++) {
        float q = query[i];
        s0 += q * rows[x + i];
        s1 += q * rows[y + i];
        s2 += q * rows[z + i];
        s3 += q * rows[w + i];
      }
      out[at + r] = s0;
      out[at + r + 1] = s1;
      out[at + r + 2] = s2;
      out[at + r + 3] = s3;
    }
    for (; r < count; r++) {
      out[at + r] = dot(query, 0, rows, from + r * dimension, dimension);
    }
  }

  @Override
  public void squaredNorms(float[] rows, int from, int count, int dimension, float[] out, int at) {
    for (int r = 0; r < count; r++) {
      int row = from + r * dimension;
      out[at + r] = dot(rows, row, rows, row, dimension);
    }
  }

  @Override
  public void l2(double[] query, double[] rows, int from, int count, float[] out, int at) {
    int dimension = query.length;
    for (int r = 0; r < count; r++) {
      int x = from + r * dimension;
      double s0 = 0;
      double s1 = 0;
      int i = 0;
      for (; i + 2 <= dimension; i += 2) {
        double d0 = query[i] - rows[x + i];
        double d1 = query[i + 1] - rows[x + i + 1];
        s0 += d0 * d0;
        s1 += d1 * d1;
      }
      for (; i < dimension; i++) {
        double d = query[i] - rows[x + i];
        s0 += d * d;
      }
      out[at + r] = (float) (s0 + s1);
    }
  }

  @Override
  public void dot(double[] query, double[] rows, int from, int count, double[] out, int at) {
    int dimension = query.length;
    for (int r = 0; r < count; r++) {
      int x = from + r * dimension;
      double s0 = 0;
      double s1 = 0;
      int i = 0;
      for (; i + 2 <= dimension; i += 2) {
        s0 += query[i] * rows[x + i];
        s1 += query[i + 1] * rows[x + i + 1];
      }
      for (; i < dimension; i++) {
        s0 += query[i] * rows[x + i];
      }
      out[at + r] = s0 + s1;
    }
  }

  @Override
  public int l2(byte[] a, int aFrom, byte[] b, int bFrom, int dimension) {
    int sum = 0;
    for (int i = 0; i < dimension; i++) {
      int d = a[aFrom + i] - b[bFrom + i];
      sum += d * d;
    }
    return sum;
  }

  @Override
  public int dot(byte[] a, int aFrom, byte[] b, int bFrom, int dimension) {
    int sum = 0;
    for (int i = 0; i < dimension; i++) {
      sum += a[aFrom + i] * b[bFrom + i];
    }
    return sum;
  }

  @Override
  public int panelWidth() {
    return PANEL;
  }

  @Override
  public void againstPanels(
      boolean dot,
      float[] row,
      int from,
      float[] panels,
      int panelsFrom,
      int panelCount,
      int dimension,
      float[] out,
      int at) {
    float[][] sums = new float[1][PANEL];
    float[] components = new float[PANEL];
    for (int p = 0; p < panelCount; p++) {
      int panel = panelsFrom + p * PANEL * dimension;
      sum(dot, row, from, 0, 1, panels, panel, dimension, PANEL, components, sums);
      System.arraycopy(sums[0], 0, out, at + p * PANEL, PANEL);
    }
  }

  /**
   * Computes the values of some rows against the first centroids of one panel.
   *
   * @param rowCount up to {@link #BLOCK}
   * @param centroids how many
   * @param components room for one component of all centroids
   */
  private static void sum(
      boolean dot,
      float[] rows,
      int from,
      int stride,
      int rowCount,
      float[] panels,
      int panel,
      int dimension,
      int centroids,
      float[] components,
      float[][] sums) {
    for (int r = 0; r < rowCount; r++) {
      Arrays.fill(sums[r], 0);
    }
    for (int d = 0; d < dimension; d++) {
      // The JIT takes several elements at once only where all arrays are read at the same index.
      System.arraycopy(panels, panel + d * PANEL, components, 0, centroids);
      for (int r = 0; r < rowCount; r++) {
        float x = rows[from + r * stride + d];
        if (dot) {
          addProducts(x, components, centroids, sums[r]);
        } else {
          addSquares(x, components, centroids, sums[r]);
        }
      }
    }
  }

  private static void addSquares(float x, float[] components, int centroids, float[] sums) {
    for (int c = 0; c < centroids; c++) {
      float d = components[c] - x;
      sums[c] += d * d;
    }
  }

  private static void addProducts(float x, float[] components, int centroids, float[] sums) {
    for (int c = 0; c < centroids; c++) {
      sums[c] += components[c] * x;
    }
  }

  @Override
  public void nearest(
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
      float[] value) {
    float[][] sums = new float[BLOCK][PANEL];
    float[] components = new float[PANEL];
    Arrays.fill(nearest, 0, count, 0);
    Arrays.fill(value, 0, count, Float.POSITIVE_INFINITY);
    for (int p = 0; p < panelCount; p++) {
      int panel = panelsFrom + p * PANEL * dimension;
      int centroids = withoutPadding(bias, p * PANEL);
      for (int r = 0; r < count; r += BLOCK) {
        int rowCount = Math.min(BLOCK, count - r);
        sum(
            dot,
            rows,
            from + r * stride,
            stride,
            rowCount,
            panels,
            panel,
            dimension,
            centroids,
            components,
            sums);
        for (int i = 0; i < rowCount; i++) {
          keepLeast(dot, sums[i], bias, p * PANEL, centroids, nearest, value, r + i);
        }
      }
    }
  }

  /** The number of centroids of a panel. */
  private static int withoutPadding(float[] bias, int from) {
    int count = PANEL;
    while (count > 0 && bias[from + count - 1] == Float.POSITIVE_INFINITY) {
      count--;
    }
    return count;
  }

  private static void keepLeast(
      boolean dot,
      float[] sums,
      float[] bias,
      int first,
      int centroids,
      int[] nearest,
      float[] value,
      int row) {
    float least = value[row];
    int leastAt = nearest[row];
    for (int c = 0; c < centroids; c++) {
      float sum = dot ? bias[first + c] - sums[c] : bias[first + c] + sums[c];
      if (sum < least) {
        least = sum;
        leastAt = first + c;
      }
    }
    value[row] = least;
    nearest[row] = leastAt;
  }
}
