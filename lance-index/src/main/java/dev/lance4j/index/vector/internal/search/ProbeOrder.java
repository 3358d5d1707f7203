package dev.lance4j.index.vector.internal.search;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.VectorSearch;
import dev.lance4j.index.vector.internal.kernel.Kernels;
import dev.lance4j.index.vector.internal.storage.Centroids;

/** The partitions of a segment from the nearest on, as far as they may be searched. */
final class ProbeOrder {
  private static final float NEAR_FOR_ONE = 0.6f;
  private static final float NEAR_FOR_FEW = 7;
  private static final float NEAR_FOR_MANY = 81;
  private static final int FEW = 10;

  // Distance and number of each partition left, as one value, in a heap with the least first.
  private final long[] heap;
  private int left;
  private final int most;
  private final int least;
  private int given;

  /**
   * Measures the distances of all partitions.
   *
   * @param query prepared for the metric
   */
  ProbeOrder(Centroids centroids, Metric metric, QueryVector query, VectorSearch search) {
    int count = centroids.count();
    float[] distances = distances(centroids, metric, query);
    this.heap = new long[count];
    for (int p = 0; p < count; p++) {
      heap[p] = ((long) sortable(distances[p]) << Integer.SIZE) | p;
    }
    this.left = count;
    for (int i = count / 2 - 1; i >= 0; i--) {
      siftDown(i, heap[i]);
    }
    this.most = Math.min(count, search.maxProbes().orElse(count));
    this.least = count == 0 ? 0 : Math.min(most, least(distances, search));
  }

  private int least(float[] distances, VectorSearch search) {
    float factor =
        search.k() <= 1 ? NEAR_FOR_ONE : search.k() <= FEW ? NEAR_FOR_FEW : NEAR_FOR_MANY;
    float nearest = distances[(int) heap[0]];
    int near = 0;
    for (float distance : distances) {
      near += distance <= nearest * factor ? 1 : 0;
    }
    return Math.max(search.minProbes(), near);
  }

  private static float[] distances(Centroids centroids, Metric metric, QueryVector query) {
    int count = centroids.count();
    float[] distances = new float[count];
    switch (metric) {
      case L2, COSINE ->
          Kernels.get().l2(query.floats(), centroids.floats(), 0, count, distances, 0);
      case DOT -> {
        Kernels.get().dot(query.floats(), centroids.floats(), 0, count, distances, 0);
        for (int p = 0; p < count; p++) {
          distances[p] = 1 - distances[p];
        }
      }
      case HAMMING -> {
        int[] bits = new int[count];
        Kernels.get().hamming(query.bits(), centroids.bits(), 0, count, bits, 0);
        for (int p = 0; p < count; p++) {
          distances[p] = bits[p];
        }
      }
    }
    return distances;
  }

  /** An integer that compares as the number does. */
  private static int sortable(float value) {
    int bits = Float.floatToIntBits(value);
    return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
  }

  private void siftDown(int from, long value) {
    int at = from;
    for (int child = 2 * at + 1; child < left; child = 2 * at + 1) {
      if (child + 1 < left && heap[child + 1] < heap[child]) {
        child++;
      }
      if (heap[child] >= value) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = value;
  }

  /** Whether the partitions that are searched in any case were given. */
  boolean isFirstPhaseOver() {
    return given >= least;
  }

  /** Whether all partitions that may be searched were given. */
  boolean isOver() {
    return given >= most;
  }

  /** The next partition. */
  int next() {
    int partition = (int) heap[0];
    given++;
    left--;
    if (left > 0) {
      siftDown(0, heap[left]);
    }
    return partition;
  }
}
