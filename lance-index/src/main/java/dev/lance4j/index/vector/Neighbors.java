package dev.lance4j.index.vector;

import dev.lance4j.index.vector.internal.search.TopRows;

/**
 * Rows that a search found, the nearest first; of those at the same distance, the one with the
 * least id first.
 *
 * @param rowIds row addresses or stable row ids, as the index has them
 * @param distances of the rows
 */
public record Neighbors(long[] rowIds, float[] distances) {
  /** Sorts the rows that are kept, which ends their collection. */
  static Neighbors of(TopRows top) {
    float[] distances = new float[top.size()];
    long[] rowIds = new long[distances.length];
    top.drain(distances, rowIds);
    return new Neighbors(rowIds, distances);
  }

  /** The number of rows. */
  public int size() {
    return rowIds.length;
  }
}
