package dev.lance4j.index.vector.internal.search;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.internal.kernel.Kernels;
import dev.lance4j.index.vector.internal.kernel.VectorKernels;
import dev.lance4j.index.vector.internal.quantize.RabitQuantizer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A partition that has the signs of rotated vectors. */
public final class RabitPartition extends Partition {
  private final RabitQuantizer quantizer;
  private final ColumnCodes codes;
  private final float[] added;
  private final float[] scales;

  /**
   * A partition.
   *
   * @param added what is added to the estimate of each row
   * @param scales what it is multiplied with before
   */
  RabitPartition(
      long[] rowIds, RabitQuantizer quantizer, ColumnCodes codes, float[] added, float[] scales) {
    super(rowIds);
    this.quantizer = quantizer;
    this.codes = codes;
    this.added = added;
    this.scales = scales;
  }

  @Override
  public RowScorer scorer(Metric metric, QueryVector query, float[] centroids, int at) {
    float[] vector = query.floats();
    float[] residual = residual(vector, centroids, at);
    VectorKernels kernels = Kernels.get();
    float offset =
        metric == Metric.DOT
            ? -kernels.dot(vector, 0, centroids, at, vector.length)
            : kernels.dot(residual, 0, residual, 0, residual.length);
    return new Scorer(quantizer.tables(residual), offset);
  }

  @Override
  public RowScorer scorerOf(Metric metric, int row) {
    throw new UnsupportedOperationException("signs alone have no distance to each other");
  }

  @Override
  public float between(Metric metric, int a, int b) {
    throw new UnsupportedOperationException("signs alone have no distance to each other");
  }

  @Override
  public void copyCode(int row, byte[] out, int at) {
    codes.getRow(row, out, at);
    int factors = at + quantizer.codeBytes();
    ByteBuffer to = ByteBuffer.wrap(out).order(ByteOrder.LITTLE_ENDIAN);
    to.putFloat(factors, added[row]).putFloat(factors + Float.BYTES, scales[row]);
  }

  @Override
  public long memoryBytes() {
    return super.memoryBytes() + codes.memoryBytes() + 2L * Float.BYTES * added.length;
  }

  private final class Scorer extends RowScorer {
    private final float[] tables;
    private final float offset;

    Scorer(float[] tables, float offset) {
      this.tables = tables;
      this.offset = offset;
    }

    @Override
    public float score(int row) {
      return codes.sum(tables, row) * scales[row] + added[row] + offset;
    }

    @Override
    public void score(int first, int count, float[] out) {
      codes.sum(tables, first, count, out);
      for (int i = 0; i < count; i++) {
        out[i] = out[i] * scales[first + i] + added[first + i] + offset;
      }
    }
  }
}
