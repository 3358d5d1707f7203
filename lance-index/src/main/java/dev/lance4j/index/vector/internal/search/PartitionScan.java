package dev.lance4j.index.vector.internal.search;

/** Finds the nearest rows of a partition by looking at all of them. */
public final class PartitionScan {
  private static final int BLOCK = 1024;

  private final float[] distances = new float[BLOCK];

  /** Offers the rows of a partition that may be found. */
  public void scan(Partition partition, RowScorer scorer, RowFilter filter, TopRows top) {
    int size = partition.size();
    for (int first = 0; first < size; first += BLOCK) {
      int count = Math.min(BLOCK, size - first);
      scorer.score(first, count, distances);
      for (int i = 0; i < count; i++) {
        float distance = distances[i];
        if (distance <= top.limit() && filter.isInRange(distance)) {
          long rowId = partition.rowId(first + i);
          // Masks cost more than distances: few rows get here.
          if (top.wants(distance, rowId) && filter.selects(rowId)) {
            top.offer(distance, rowId);
          }
        }
      }
    }
  }
}
