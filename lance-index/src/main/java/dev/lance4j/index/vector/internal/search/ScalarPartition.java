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
  public float between(Metric metric, int a, int b) {
    byte[] codeA = codes.array(a);
    byte[] codeB = codes.array(b);
    int atA = codes.chunks().at(a);
    int atB = codes.chunks().at(b);
    int dimension = quantizer.dimension();
    if (metric != Metric.DOT) {
      double step = quantizer.step();
      return (float) (KERNELS.l2(codeA, atA, codeB, atB, dimension) * step * step);
    }
    return dotDistance(KERNELS.dot(codeA, atA, codeB, atB, dimension), sums[a], sums[b]);
  }

  /** 1 less the dot product of two vectors that codes stand for: start + step * code. */
  private float dotDistance(int product, int sumA, int sumB) {
    double step = quantizer.step();
    // A component is middle + step * (code - 128).
    double middle = quantizer.start() + ByteRows.SHIFT * step;
    double sums = middle * step * ((double) sumA + sumB);
    return (float) (1 - step * step * product - sums - quantizer.dimension() * middle * middle);
  }

  @Override
  public void copyCode(int row, byte[] out, int at) {
    codes.copy(row, out, at);
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

  /** Dot products of the vectors that codes stand for. */
  private final class Dot extends RowScorer {
    private final byte[] query;
    private final int querySum;

    Dot(byte[] query) {
      this.query = query;
      this.querySum = sum(query, 0, query.length);
    }

    @Override
    public float score(int row) {
      int at = codes.chunks().at(row);
      int product = KERNELS.dot(query, 0, codes.array(row), at, query.length);
      return dotDistance(product, querySum, sums[row]);
    }

    @Override
    public void score(int first, int count, float[] out) {
      for (int i = 0; i < count; i++) {
        out[i] = score(first + i);
      }
    }
  }
}
