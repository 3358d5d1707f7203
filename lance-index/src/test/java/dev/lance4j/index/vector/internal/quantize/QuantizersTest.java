package dev.lance4j.index.vector.internal.quantize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.index.vector.internal.kernel.CodeTables;
import dev.lance4j.index.vector.internal.kmeans.Rows;
import dev.lance4j.index.vector.internal.parallel.ParallelRanges;
import dev.lance4j.index.vector.internal.storage.FloatMatrix;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantizersTest {
  private static float[] gaussian(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  private static double l2(float[] a, int aFrom, float[] b, int bFrom, int dimension) {
    double sum = 0;
    for (int d = 0; d < dimension; d++) {
      double difference = (double) a[aFrom + d] - b[bFrom + d];
      sum += difference * difference;
    }
    return sum;
  }

  @Property(tries = 200)
  void everyLayoutIsReversible(
      @ForAll @IntRange(min = 0, max = 130) int rows,
      @ForAll @IntRange(min = 1, max = 9) int width,
      @ForAll CodeLayout layout,
      @ForAll long seed) {
    byte[] codes = new byte[rows * width];
    new SplittableRandom(seed).nextBytes(codes);
    assertThat(layout.toRows(layout.fromRows(codes, rows, width), rows, width)).isEqualTo(codes);
  }

  @Test
  void columnsAreThoseOfTheSpecification() {
    byte[] codes = {1, 2, 3, 4, 5, 6};
    assertThat(CodeLayout.COLUMNS.fromRows(codes, 3, 2)).containsExactly(1, 3, 5, 2, 4, 6);
  }

  @Test
  void blocksHoldTheHalvesOfTheBytesApart() {
    byte[] codes = new byte[32];
    for (int r = 0; r < 32; r++) {
      codes[r] = (byte) (r * 7);
    }
    byte[] packed = CodeLayout.BLOCKS.fromRows(codes, 32, 1);
    // Row 8 is second in order, and row 24 sixteen rows on.
    assertThat(packed[1]).isEqualTo((byte) (((8 * 7) & 0xF) | (((24 * 7) & 0xF) << 4)));
    assertThat(packed[17]).isEqualTo((byte) (((8 * 7) >> 4) | ((24 * 7) & 0xF0)));
  }

  @Test
  void scalarCodesAreCutOffAtTheBounds() {
    ScalarQuantizer quantizer = new ScalarQuantizer(6, -1, 1);
    byte[] code = new byte[6];
    float[] vector = {-2, -1, 0, 0.999f, 1, Float.NaN};
    quantizer.encode(vector, 0, code, 0);
    assertThat(code).containsExactly(0, 0, 127, 254, 255, 0);
    new ScalarQuantizer(6, 3, 3).encode(vector, 0, code, 0);
    assertThat(code[2]).isEqualTo((byte) 0);
  }

  @Test
  void scalarBoundsAreTheExtremes() {
    ScalarQuantizer trained = ScalarQuantizer.train(2, new float[] {3, -7.5f, 2, 4, 99}, 4);
    assertThat(trained.start()).isEqualTo(-7.5);
    assertThat(trained.end()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({"8, 4, 8", "8, 4, 4", "24, 6, 8", "16, 16, 8", "12, 2, 4"})
  void productCodesAreTheNearestAndTablesGiveTheirDistances(
      int dimension, int subVectors, int bits) {
    int count = 700;
    Rows rows = Rows.of(gaussian(count * dimension, 1), count, dimension);
    ProductQuantizer quantizer =
        ProductTraining.train(
            rows, subVectors, bits, VectorElement.FLOAT32, 10, 3, ParallelRanges.SEQUENTIAL);
    byte[] codes = new byte[count * quantizer.codeBytes()];
    quantizer.encode(rows.values(), 0, count, codes, 0);
    float[] query = gaussian(dimension, 2);
    float[] l2 = quantizer.tables(false, query);
    float[] dot = quantizer.tables(true, query);
    float[] decoded = new float[dimension];
    int width = dimension / subVectors;
    for (int r = 0; r < count; r++) {
      int at = r * quantizer.codeBytes();
      quantizer.decode(codes, at, decoded, 0);
      for (int i = 0; i < subVectors; i++) {
        double least = Double.MAX_VALUE;
        for (int c = 0; c < 1 << bits; c++) {
          int centroid = ((i << bits) + c) * width;
          least =
              Math.min(
                  least,
                  l2(
                      rows.values(),
                      r * dimension + i * width,
                      quantizer.codebook(),
                      centroid,
                      width));
        }
        assertThat(l2(rows.values(), r * dimension + i * width, decoded, i * width, width))
            .isCloseTo(least, within(1e-5));
      }
      assertThat((double) CodeTables.sumRow(l2, quantizer.codeBytes(), codes, at))
          .isCloseTo(l2(query, 0, decoded, 0, dimension), within(1e-3));
      double product = 0;
      for (int d = 0; d < dimension; d++) {
        product += query[d] * decoded[d];
      }
      assertThat((double) CodeTables.sumRow(dot, quantizer.codeBytes(), codes, at))
          .isCloseTo(-product, within(1e-3));
    }
  }

  @Test
  void productQuantizationRefusesWhatItCannotCut() {
    assertThatThrownBy(() -> ProductQuantizer.check(10, 4, 8))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("num_sub_vectors must divide vector dimension 10, but got 4");
    assertThatThrownBy(() -> ProductQuantizer.check(10, 5, 5)).hasMessageContaining("num_bits 5");
    assertThatThrownBy(() -> ProductQuantizer.check(10, 5, 4)).hasMessageContaining("even");
    assertThatThrownBy(
            () ->
                ProductTraining.train(
                    Rows.of(new float[800], 200, 4),
                    2,
                    8,
                    VectorElement.FLOAT32,
                    5,
                    1,
                    ParallelRanges.SEQUENTIAL))
        .hasMessage("Not enough rows to train PQ. Requires 256 rows but only 200 available");
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 16, 24, 64, 96, 100, 128})
  void theFastRotationKeepsLengthsAndAngles(int dimension) {
    FastRotation rotation = FastRotation.random(dimension, new SplittableRandom(4));
    float[] a = gaussian(dimension, 5);
    float[] b = gaussian(dimension, 6);
    float[] turnedA = new float[dimension];
    float[] turnedB = new float[dimension];
    rotation.rotate(a, 0, dimension, turnedA);
    rotation.rotate(b, 0, dimension, turnedB);
    assertThat(l2(turnedA, 0, turnedB, 0, dimension))
        .isCloseTo(l2(a, 0, b, 0, dimension), within(1e-3));
    assertThat(l2(turnedA, 0, a, 0, dimension)).isGreaterThan(0.1);
  }

  @Test
  void aMatrixTurnsAPaddedVector() {
    FloatMatrix swap = new FloatMatrix(3, 3, new float[] {0, 1, 0, 0, 0, 1, 1, 0, 0});
    float[] out = new float[3];
    new MatrixRotation(swap).rotate(new float[] {9, 4, 5}, 1, 2, out);
    assertThat(out).containsExactly(5, 0, 4);
  }

  @ParameterizedTest
  @CsvSource({"128, 1", "96, 1", "64, 3"})
  void distancesAreEstimatedFromSigns(int dimension, int bits) {
    RabitQuantizer quantizer =
        new RabitQuantizer(
            dimension, bits, FastRotation.random(dimension * bits, new SplittableRandom(8)));
    float[] centroid = gaussian(dimension, 9);
    float[] query = gaussian(dimension, 10);
    int count = 300;
    float[] vectors = gaussian(count * dimension, 11);
    byte[] code = new byte[quantizer.codeBytes()];
    float[] factors = new float[2];
    float[] residual = new float[dimension];
    for (int d = 0; d < dimension; d++) {
      residual[d] = query[d] - centroid[d];
    }
    float[] tables = quantizer.tables(residual);
    double norm = l2(query, 0, centroid, 0, dimension);
    double error = 0;
    double bias = 0;
    for (int r = 0; r < count; r++) {
      quantizer.encode(false, vectors, r * dimension, centroid, 0, residual, code, 0, factors, 0);
      float x = CodeTables.sumRow(tables, quantizer.codeBytes(), code, 0);
      double estimate = x * factors[1] + factors[0] + norm;
      double exact = l2(query, 0, vectors, r * dimension, dimension);
      error += Math.abs(estimate - exact) / exact;
      bias += (estimate - exact) / exact;
    }
    assertThat(error / count).isLessThan(0.15);
    assertThat(Math.abs(bias / count)).isLessThan(0.03);
  }
}
