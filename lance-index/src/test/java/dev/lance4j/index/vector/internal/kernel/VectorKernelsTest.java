package dev.lance4j.index.vector.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both kinds of kernels give what a loop in double precision, or over bits, gives. */
class VectorKernelsTest {
  private static final int[] DIMENSIONS = {
    1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 96, 100, 131, 768
  };
  private static final int ROWS = 11;

  /** The error of a sum of n products of floats, relative to the sum of their magnitudes. */
  private static final double ROUNDING = 0x1p-23;

  static List<VectorKernels> kinds() {
    return List.of(Kernels.scalar(), new SimdKernels());
  }

  @Test
  void vectorInstructionsAreChosenWhereTheModuleIs() {
    assertThat(Kernels.get()).isInstanceOf(SimdKernels.class);
  }

  private static float[] floats(int count, SplittableRandom random) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  private static byte[] bytes(int count, SplittableRandom random) {
    byte[] values = new byte[count];
    random.nextBytes(values);
    return values;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void distancesOfFloatsAreExactUpToRounding(VectorKernels kernels) {
    SplittableRandom random = new SplittableRandom(1);
    for (int dimension : DIMENSIONS) {
      float[] query = floats(dimension, random);
      int from = 5;
      float[] rows = floats(from + ROWS * dimension, random);
      float[] l2 = new float[ROWS + 1];
      float[] dot = new float[ROWS + 1];
      float[] norms = new float[ROWS + 1];
      kernels.l2(query, rows, from, ROWS, l2, 1);
      kernels.dot(query, rows, from, ROWS, dot, 1);
      kernels.squaredNorms(rows, from, ROWS, dimension, norms, 1);
      for (int r = 0; r < ROWS; r++) {
        int at = from + r * dimension;
        double squares = 0;
        double product = 0;
        double norm = 0;
        double magnitude = 0;
        for (int d = 0; d < dimension; d++) {
          double x = rows[at + d];
          squares += (query[d] - x) * (query[d] - x);
          product += query[d] * x;
          norm += x * x;
          magnitude += Math.abs(query[d] * x);
        }
        double bound = (dimension + 4) * ROUNDING;
        assertThat((double) l2[r + 1]).isCloseTo(squares, within(squares * bound));
        assertThat((double) dot[r + 1]).isCloseTo(product, within(magnitude * bound));
        assertThat((double) norms[r + 1]).isCloseTo(norm, within(norm * bound));
        assertThat((double) kernels.l2(query, 0, rows, at, dimension))
            .isCloseTo(squares, within(squares * bound));
        assertThat((double) kernels.dot(query, 0, rows, at, dimension))
            .isCloseTo(product, within(magnitude * bound));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void distancesOfDoublesAreSummedInDoublePrecision(VectorKernels kernels) {
    SplittableRandom random = new SplittableRandom(2);
    for (int dimension : DIMENSIONS) {
      double[] query = random.doubles(dimension).toArray();
      double[] rows = random.doubles((long) ROWS * dimension).toArray();
      float[] l2 = new float[ROWS];
      double[] dot = new double[ROWS];
      kernels.l2(query, rows, 0, ROWS, l2, 0);
      kernels.dot(query, rows, 0, ROWS, dot, 0);
      for (int r = 0; r < ROWS; r++) {
        double squares = 0;
        double product = 0;
        for (int d = 0; d < dimension; d++) {
          double x = rows[r * dimension + d];
          squares += (query[d] - x) * (query[d] - x);
          product += query[d] * x;
        }
        assertThat(l2[r]).isCloseTo((float) squares, within((float) squares * 0x1p-22f));
        assertThat(dot[r]).isCloseTo(product, within(product * 1e-12));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void distancesOfBytesAreExact(VectorKernels kernels) {
    SplittableRandom random = new SplittableRandom(3);
    for (int dimension : DIMENSIONS) {
      byte[] query = bytes(dimension, random);
      byte[] rows = bytes(3 + ROWS * dimension, random);
      int[] l2 = new int[ROWS];
      int[] dot = new int[ROWS];
      int[] hamming = new int[ROWS];
      kernels.l2(query, rows, 3, ROWS, l2, 0);
      kernels.dot(query, rows, 3, ROWS, dot, 0);
      kernels.hamming(query, rows, 3, ROWS, hamming, 0);
      for (int r = 0; r < ROWS; r++) {
        int squares = 0;
        int product = 0;
        int bits = 0;
        for (int d = 0; d < dimension; d++) {
          int x = rows[3 + r * dimension + d];
          squares += (query[d] - x) * (query[d] - x);
          product += query[d] * x;
          bits += Integer.bitCount((query[d] ^ x) & 0xFF);
        }
        assertThat(l2[r]).isEqualTo(squares);
        assertThat(dot[r]).isEqualTo(product);
        assertThat(hamming[r]).isEqualTo(bits);
        assertThat(kernels.hamming(query, 0, rows, 3 + r * dimension, dimension)).isEqualTo(bits);
      }
    }
  }

  /** Centroids arranged for the kernels at hand. */
  private static float[] panels(VectorKernels kernels, float[] centroids, int k, int dimension) {
    int width = kernels.panelWidth();
    float[] values = new float[Panels.panels(k, width) * width * dimension];
    Panels.fill(centroids, 0, k, dimension, width, values, 0);
    return values;
  }

  private static float[] bias(VectorKernels kernels, int k) {
    int width = kernels.panelWidth();
    float[] bias = new float[Panels.panels(k, width) * width];
    Arrays.fill(bias, k, bias.length, Float.POSITIVE_INFINITY);
    return bias;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theNearestCentroidIsFound(VectorKernels kernels) {
    SplittableRandom random = new SplittableRandom(4);
    int count = 21;
    for (int k : new int[] {1, 5, 16, 63, 64, 65, 256}) {
      for (int dimension : new int[] {1, 4, 17}) {
        for (boolean dot : new boolean[] {false, true}) {
          float[] centroids = floats(k * dimension, random);
          int stride = dimension + 3;
          float[] rows = floats(2 + count * stride, random);
          float[] bias = bias(kernels, k);
          bias[k / 2] = 0.25f;
          int[] nearest = new int[count];
          float[] value = new float[count];
          float[] panels = panels(kernels, centroids, k, dimension);
          int panelCount = bias.length / kernels.panelWidth();
          kernels.nearest(
              dot, rows, 2, stride, count, panels, 0, panelCount, dimension, bias, nearest, value);
          float[] sums = new float[bias.length];
          for (int r = 0; r < count; r++) {
            int at = 2 + r * stride;
            kernels.againstPanels(dot, rows, at, panels, 0, panelCount, dimension, sums, 0);
            double least = Double.POSITIVE_INFINITY;
            for (int c = 0; c < k; c++) {
              double sum = naive(dot, rows, at, centroids, c * dimension, dimension);
              assertThat((double) sums[c]).isCloseTo(sum, within(1e-4));
              least = Math.min(least, dot ? bias[c] - sum : bias[c] + sum);
            }
            int found = nearest[r];
            assertThat(found).isBetween(0, k - 1);
            double sum = naive(dot, rows, at, centroids, found * dimension, dimension);
            assertThat(dot ? bias[found] - sum : bias[found] + sum).isCloseTo(least, within(1e-4));
            assertThat((double) value[r]).isCloseTo(least, within(1e-4));
          }
        }
      }
    }
  }

  private static double naive(
      boolean dot, float[] rows, int at, float[] centroids, int c, int dimension) {
    double sum = 0;
    for (int d = 0; d < dimension; d++) {
      double x = rows[at + d];
      double y = centroids[c + d];
      sum += dot ? x * y : (x - y) * (x - y);
    }
    return sum;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void ofEquallyNearCentroidsTheFirstIsTaken(VectorKernels kernels) {
    int k = 150;
    float[] centroids = new float[k];
    Arrays.fill(centroids, 7);
    centroids[40] = 1;
    centroids[41] = 1;
    centroids[137] = 1;
    int count = 9;
    int[] nearest = new int[count];
    float[] value = new float[count];
    float[] bias = bias(kernels, k);
    kernels.nearest(
        false,
        new float[count],
        0,
        1,
        count,
        panels(kernels, centroids, k, 1),
        0,
        bias.length / kernels.panelWidth(),
        1,
        bias,
        nearest,
        value);
    assertThat(nearest).containsOnly(40);
    assertThat(value).containsOnly(1);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void whatIsNoNumberGoesToTheFirstCentroid(VectorKernels kernels) {
    int count = 9;
    float[] rows = new float[count];
    Arrays.fill(rows, Float.NaN);
    int[] nearest = new int[count];
    Arrays.fill(nearest, 5);
    float[] value = new float[count];
    float[] bias = bias(kernels, 3);
    kernels.nearest(
        false,
        rows,
        0,
        1,
        count,
        panels(kernels, new float[] {1, 2, 3}, 3, 1),
        0,
        bias.length / kernels.panelWidth(),
        1,
        bias,
        nearest,
        value);
    assertThat(nearest).containsOnly(0);
    assertThat(value).containsOnly(Float.POSITIVE_INFINITY);
  }

  @Test
  void tablesAreSummedByRowsAndByColumns() {
    SplittableRandom random = new SplittableRandom(5);
    for (int width : new int[] {1, 2, 3, 4, 7, 8}) {
      float[] tables = floats(width * CodeTables.ENTRIES, random);
      int rows = 37;
      byte[] codes = bytes(rows * width, random);
      byte[] columns = new byte[codes.length];
      for (int i = 0; i < codes.length; i++) {
        columns[i % width * rows + i / width] = codes[i];
      }
      float[] sums = new float[30];
      CodeTables.sumColumns(tables, width, columns, rows, 5, 29, sums, 1);
      for (int r = 5; r < 34; r++) {
        double expected = 0;
        for (int b = 0; b < width; b++) {
          expected += tables[b * CodeTables.ENTRIES + (codes[r * width + b] & 0xFF)];
        }
        assertThat((double) sums[r - 4]).isCloseTo(expected, within(1e-5));
        assertThat((double) CodeTables.sumRow(tables, width, codes, r * width))
            .isCloseTo(expected, within(1e-5));
      }
    }
  }
}
