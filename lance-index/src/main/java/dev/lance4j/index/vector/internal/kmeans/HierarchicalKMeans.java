package dev.lance4j.index.vector.internal.kmeans;

import dev.lance4j.index.vector.internal.kernel.Panels;
import dev.lance4j.index.vector.internal.parallel.ParallelRanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Clusters into many parts by splitting the largest cluster again and again, which takes time
 * proportional to the logarithm of their number rather than to the number.
 */
public final class HierarchicalKMeans {
  /** Up to so many centroids are found at once. */
  private static final int DIRECT = 256;

  private static final int FAN_OUT = 16;
  private static final int ROWS_PER_PART = 16;
  private static final float NUDGE = 1f / 1024;

  private final Rows rows;
  private final KMeansOptions options;
  private final ParallelRanges parallel;
  private final List<float[]> done = new ArrayList<>();
  private final PriorityQueue<Cluster> open =
      new PriorityQueue<>(Comparator.comparingInt((Cluster c) -> -c.members.length));
  private int splits;

  private record Cluster(float[] centroid, int[] members) {}

  private HierarchicalKMeans(Rows rows, KMeansOptions options, ParallelRanges parallel) {
    this.rows = rows;
    this.options = options;
    this.parallel = parallel;
  }

  /**
   * Finds centroids, directly where they are few; see {@link KMeans#train}.
   *
   * @return the centroids, row after row
   */
  public static float[] train(Rows rows, int k, KMeansOptions options, ParallelRanges parallel) {
    if (k <= DIRECT || rows.count() < k) {
      return KMeans.train(rows, k, null, options, parallel);
    }
    return new HierarchicalKMeans(rows, options, parallel).split(k);
  }

  private float[] split(int k) {
    int[] all = new int[rows.count()];
    for (int i = 0; i < all.length; i++) {
      all[i] = i;
    }
    divide(new Cluster(null, all), FAN_OUT);
    while (!open.isEmpty() && count() < k) {
      Cluster largest = open.poll();
      int members = largest.members.length;
      int wanted = Math.max(2, Math.min(FAN_OUT, members / ROWS_PER_PART));
      int parts = Math.min(wanted, k - count());
      if (members < 2) {
        done.add(largest.centroid);
      } else {
        divide(largest, Math.max(2, parts));
      }
    }
    return centroids(k);
  }

  private int count() {
    return done.size() + open.size();
  }

  /** Replaces a cluster by parts of it. */
  private void divide(Cluster cluster, int parts) {
    int[] members = cluster.members;
    Rows part = rows.gather(members, members.length);
    KMeansOptions own = options.withSeed(options.seed() + ++splits);
    float[] centroids = KMeans.train(part, Math.min(parts, members.length), null, own, parallel);
    int dimension = rows.dimension();
    int k = centroids.length / dimension;
    int[] assigned = new int[members.length];
    KMeans.assign(
        part,
        Panels.of(centroids, 0, k, dimension),
        options.dot(),
        assigned,
        new float[members.length],
        parallel);
    int[] sizes = new int[k];
    for (int c : assigned) {
      sizes[c]++;
    }
    for (int c = 0; c < k; c++) {
      if (sizes[c] == members.length && cluster.centroid != null) {
        // Equal vectors cannot be told apart.
        done.add(cluster.centroid);
        return;
      }
    }
    for (int c = 0; c < k; c++) {
      if (sizes[c] > 0) {
        float[] centroid = Arrays.copyOfRange(centroids, c * dimension, (c + 1) * dimension);
        open.add(new Cluster(centroid, membersOf(c, sizes[c], members, assigned)));
      }
    }
  }

  private static int[] membersOf(int cluster, int size, int[] members, int[] assigned) {
    int[] own = new int[size];
    int count = 0;
    for (int i = 0; i < members.length; i++) {
      if (assigned[i] == cluster) {
        own[count++] = members[i];
      }
    }
    return own;
  }

  private float[] centroids(int k) {
    List<float[]> found = new ArrayList<>(done);
    open.forEach(cluster -> found.add(cluster.centroid));
    int dimension = rows.dimension();
    float[] centroids = new float[Math.multiplyExact(k, dimension)];
    for (int c = 0; c < k; c++) {
      // Where there are too few different vectors, some centroids come again, slightly moved.
      float[] centroid = found.get(c % found.size());
      int again = c / found.size();
      float nudge = again * NUDGE;
      for (int d = 0; d < dimension; d++) {
        centroids[c * dimension + d] = centroid[d] * (1 + (d % 2 == 0 ? nudge : -nudge));
      }
    }
    return centroids;
  }
}
