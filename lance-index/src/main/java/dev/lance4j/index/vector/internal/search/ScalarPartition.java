package dev.lance4j.index.vector.internal.search;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.internal.kernel.Kernels;
import dev.lance4j.index.vector.internal.kernel.VectorKernels;
import dev.lance4j.index.vector.internal.quantize.ScalarQuantizer;
import java.util.Arrays;

/** A partition that has a byte of each component. */
public final class ScalarPartition extends Partition {
  private static final VectorKernels KERNELS = Kernels.get();

  private final ScalarQuantizer quantizer;
  private final ByteRows codes;
  private final int[] sums;

  /**
   * A partition.
   *
   * @param codes shifted
   */
  ScalarPartition(long[] rowIds, ScalarQuantizer quantizer, ByteRows codes) {
    super(rowIds);
    this.quantizer = quantizer;
    this.codes = codes;
    this.sums = new int[rowIds.length];
    for (int row = 0; row < sums.length; row++) {
      sums[row] = sum(codes.array(row), codes.chunks().at(row), quantizer.dimension());
    }
  }

  private static int sum(byte[] code, int from, int dimension) {
    int sum = 0;
    for (int d = from; d < from + dimension; d++) {
      sum += code[d];
    }
    return sum;
  }

  @Override
  public RowScorer scorer(Metric metric, QueryVector query, float[] centroids, int at) {
    byte[] code = new byte[quantizer.dimension()];
    quantizer.encode(query.floats(), 0, code, 0);
    for (int d = 0; d < code.length; d++) {
      code[d] = (byte) (code[d] ^ ByteRows.SHIFT);
    }
    return scorer(metric, code);
  }

  @Override
  public RowScorer scorerOf(Metric metric, int row) {
    byte[] code = new byte[quantizer.dimension()];
    codes.get(row, code);
    return scorer(metric, code);
  }

  private RowScorer scorer(Metric metric, byte[] code) {
    return metric == Metric.DOT ? new Dot(code) : new L2(code);
  }

  @Override
  public long memoryBytes() {
    return super.memoryBytes() + codes.memoryBytes() + (long) Integer.BYTES * sums.length;
  }

  /** Squared Euclidean distances, which the shift leaves as they are. */
  private final class L2 extends RowScorer {
    private final byte[] query;
    private final float scale = (float) (quantizer.step() * quantizer.step());
    private int[] distances = {};

    L2(byte[] query) {
      this.query = query;
    }

    @Override
    public float score(int row) {
      int at = codes.chunks().at(row);
      return KERNELS.l2(query, 0, codes.array(row), at, query.length) * scale;
    }

    @Override
    public void score(int first, int count, float[] out) {
      if (distances.length < count) {
        distances = Arrays.copyOf(distances, count);
      }
      for (int done = 0; done < count; ) {
        int row = first + done;
        int together = codes.chunks().together(row, count - done);
        KERNELS.l2(query, codes.array(row), codes.chunks().at(row), together, distances, done);
        done += together;
      }
      for (int i = 0; i < count; i++) {
        out[i] = distances[i] * scale;
      }
    }
  }

  /** Dot products of the vectors that codes stand for: start + step * code. */
  private final class Dot extends RowScorer {
    private final byte[] query;
    // A component is middle + step * (code - 128).
    private final double middle = quantizer.start() + ByteRows.SHIFT * quantizer.step();
    private final double step = quantizer.step();
    private final double constant;

    Dot(byte[] query) {
      this.query = query;
      int sum = sum(query, 0, query.length);
      this.constant = 1 - middle * (step * sum + query.length * middle);
    }

    @Override
    public float score(int row) {
      int at = codes.chunks().at(row);
      int product = KERNELS.dot(query, 0, codes.array(row), at, query.length);
      return (float) (constant - step * (step * product + middle * sums[row]));
    }

    @Override
    public void score(int first, int count, float[] out) {
      for (int i = 0; i < count; i++) {
        out[i] = score(first + i);
      }
    }
  }
}
