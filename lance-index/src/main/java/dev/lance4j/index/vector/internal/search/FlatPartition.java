package dev.lance4j.index.vector.internal.search;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;

/** A partition that has the vectors themselves. */
public final class FlatPartition extends Partition {
  private final VectorRows vectors;

  FlatPartition(long[] rowIds, VectorRows vectors) {
    super(rowIds);
    this.vectors = vectors;
  }

  @Override
  public RowScorer scorer(Metric metric, QueryVector query, float[] centroids, int at) {
    return vectors.scorer(metric, query);
  }

  @Override
  public RowScorer scorerOf(Metric metric, int row) {
    return vectors.scorerOf(metric, row);
  }

  @Override
  public float between(Metric metric, int a, int b) {
    return vectors.between(metric, a, b);
  }

  @Override
  public void copyCode(int row, byte[] out, int at) {
    vectors.copy(row, out, at);
  }

  @Override
  public long memoryBytes() {
    return super.memoryBytes() + vectors.memoryBytes();
  }
}
