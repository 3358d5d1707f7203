package dev.lance4j.index.vector.internal.search;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;

/** The rows of one partition in memory. Immutable once filled. */
public abstract sealed class Partition
    permits FlatPartition, ScalarPartition, ProductPartition, RabitPartition {
  private final long[] rowIds;

  Partition(long[] rowIds) {
    this.rowIds = rowIds;
  }

  /** The number of rows. */
  public final int size() {
    return rowIds.length;
  }

  /** The id of a row. */
  public final long rowId(int row) {
    return rowIds[row];
  }

  /** The ids of the rows; not to be changed. */
  public final long[] rowIds() {
    return rowIds;
  }

  /**
   * The distances to a vector.
   *
   * @param query prepared for the metric
   * @param centroids the first value of the partition's centroid is at {@code at}; null for vectors
   *     of bits
   */
  public abstract RowScorer scorer(Metric metric, QueryVector query, float[] centroids, int at);

  /** The distances to one of the rows, by what is kept of both. */
  public abstract RowScorer scorerOf(Metric metric, int row);

  /** The distance of two of the rows, by what is kept of both. */
  public abstract float between(Metric metric, int a, int b);

  /**
   * Copies what is stored of a row: its code, and in RaBit quantization its factors.
   *
   * @param out takes it, from {@code at} on
   */
  public abstract void copyCode(int row, byte[] out, int at);

  /** How many bytes of memory the rows take. */
  public long memoryBytes() {
    return (long) Long.BYTES * rowIds.length;
  }

  /** A vector less a centroid. */
  static float[] residual(float[] query, float[] centroids, int at) {
    float[] residual = new float[query.length];
    for (int d = 0; d < query.length; d++) {
      residual[d] = query[d] - centroids[at + d];
    }
    return residual;
  }
}
