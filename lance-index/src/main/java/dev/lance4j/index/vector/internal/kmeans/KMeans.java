package dev.lance4j.index.vector.internal.kmeans;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.vector.internal.kernel.Panels;
import dev.lance4j.index.vector.internal.parallel.ParallelRanges;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Lloyd's algorithm: vectors go to their nearest centroids, and centroids to the middle of their
 * vectors, until that changes little. The result depends on the seed, not on the threads.
 */
public final class KMeans {
  /** The most vectors that are looked at for a centroid. */
  private static final int ROWS_PER_CENTROID = 512;

  private static final double TOLERANCE = 1e-4;
  private static final float NUDGE = 1f / 1024;

  /** Vectors that one thread takes at a time. */
  private static final int STEP = 1024;

  /** Parts whose sums are taken apart, so that they do not depend on the threads. */
  private static final int PARTS = 8;

  private final Rows rows;
  private final int k;
  private final KMeansOptions options;
  private final ParallelRanges parallel;
  private final SplittableRandom random;
  private final float[] centroids;
  private final int[] assigned;
  private final float[] values;
  private final int[] sizes;
  private double balance;

  private KMeans(Rows rows, int k, KMeansOptions options, ParallelRanges parallel) {
    this.rows = rows;
    this.k = k;
    this.options = options;
    this.parallel = parallel;
    this.random = new SplittableRandom(options.seed());
    this.centroids = new float[Math.multiplyExact(k, rows.dimension())];
    this.assigned = new int[rows.count()];
    this.values = new float[rows.count()];
    this.sizes = new int[k];
  }

  /**
   * Finds centroids.
   *
   * @param all finite vectors
   * @param initial the centroids to start from, row after row; null to start from random vectors
   * @return the centroids, row after row
   * @throws InvalidInputException if there are fewer vectors than centroids
   */
  public static float[] train(
      Rows all, int k, float[] initial, KMeansOptions options, ParallelRanges parallel) {
    if (all.count() < k) {
      throw new InvalidInputException(
          String.format(
              "KMeans cannot train %d centroids with %d vectors; choose a smaller K (< %d)",
              k, all.count(), all.count()));
    }
    KMeans kmeans = new KMeans(all.first((long) ROWS_PER_CENTROID * k), k, options, parallel);
    if (initial == null) {
      kmeans.startAtRandom();
    } else {
      System.arraycopy(initial, 0, kmeans.centroids, 0, kmeans.centroids.length);
    }
    kmeans.iterate();
    return kmeans.centroids;
  }

  /** Takes distinct vectors as centroids. */
  private void startAtRandom() {
    int[] chosen = RandomRows.choose(rows.count(), k, random);
    for (int c = 0; c < k; c++) {
      System.arraycopy(
          rows.values(), rows.at(chosen[c]), centroids, c * rows.dimension(), rows.dimension());
    }
  }

  private void iterate() {
    int n = rows.count();
    double most = options.balanced() ? 1.0 / n : 0;
    balance = most;
    double previous = Double.MAX_VALUE;
    for (int i = 0; i < options.maxIterations(); i++) {
      double loss = assign();
      moveCentroids();
      balance = Math.min(most, adaptedBalance());
      fillEmptyClusters();
      if (Math.abs(loss - previous) < TOLERANCE * Math.abs(loss)) {
        return;
      }
      previous = loss;
    }
  }

  /** Gives each vector its centroid; the loss, with what imbalance costs. */
  private double assign() {
    Panels panels = Panels.of(centroids, 0, k, rows.dimension());
    float[] bias = panels.bias().clone();
    for (int c = 0; c < k; c++) {
      bias[c] = (float) (balance * sizes[c]);
    }
    nearest(panels, rows, bias, options.dot(), assigned, values, parallel);
    double loss = 0;
    for (int r = 0; r < values.length; r++) {
      values[r] -= bias[assigned[r]];
      loss += values[r];
    }
    Arrays.fill(sizes, 0);
    for (int cluster : assigned) {
      sizes[cluster]++;
    }
    double squares = 0;
    for (int size : sizes) {
      squares += (double) size * size;
    }
    double n = rows.count();
    return loss + balance * (squares - n * n / k);
  }

  private static void nearest(
      Panels panels,
      Rows rows,
      float[] bias,
      boolean dot,
      int[] assigned,
      float[] values,
      ParallelRanges parallel) {
    parallel.run(
        rows.count(),
        STEP,
        (from, to) -> {
          int[] some = new int[to - from];
          float[] someValues = new float[to - from];
          panels.nearest(
              dot, rows.values(), rows.at(from), rows.stride(), to - from, bias, some, someValues);
          System.arraycopy(some, 0, assigned, from, to - from);
          System.arraycopy(someValues, 0, values, from, to - from);
        });
  }

  /**
   * Finds the centroid that each vector belongs to.
   *
   * @param assigned takes it
   * @param values takes the squared Euclidean distances, or the negated dot products
   */
  public static void assign(
      Rows rows,
      Panels centroids,
      boolean dot,
      int[] assigned,
      float[] values,
      ParallelRanges parallel) {
    nearest(centroids, rows, centroids.bias(), dot, assigned, values, parallel);
  }

  private void moveCentroids() {
    int n = rows.count();
    int dimension = rows.dimension();
    int part = (n + PARTS - 1) / PARTS;
    double[][] sums = new double[PARTS][];
    parallel.run(n, part, (from, to) -> sums[from / part] = sums(from, to));
    for (int c = 0; c < k; c++) {
      if (sizes[c] == 0) {
        continue;
      }
      for (int d = c * dimension; d < (c + 1) * dimension; d++) {
        double sum = 0;
        for (double[] some : sums) {
          sum += some == null ? 0 : some[d];
        }
        centroids[d] = (float) (sum / sizes[c]);
      }
    }
  }

  private double[] sums(int from, int to) {
    int dimension = rows.dimension();
    double[] sums = new double[k * dimension];
    float[] vectors = rows.values();
    for (int r = from; r < to; r++) {
      int row = rows.at(r);
      int sum = assigned[r] * dimension;
      for (int d = 0; d < dimension; d++) {
        sums[sum + d] += vectors[row + d];
      }
    }
    return sums;
  }

  /** How strongly imbalance may count, so that it does not outweigh the distances. */
  private double adaptedBalance() {
    int largest = 0;
    for (int c = 1; c < k; c++) {
      largest = sizes[c] > sizes[largest] ? c : largest;
    }
    double sum = 0;
    double radius = Double.NEGATIVE_INFINITY;
    for (int r = 0; r < values.length; r++) {
      if (assigned[r] == largest) {
        sum += values[r];
        radius = Math.max(radius, values[r]);
      }
    }
    return (radius - sum / sizes[largest]) / rows.count();
  }

  /** Splits clusters for the sake of centroids that no vector belongs to. */
  private void fillEmptyClusters() {
    int n = rows.count();
    int dimension = rows.dimension();
    int donor = 0;
    for (int c = 0; c < k; c++) {
      if (sizes[c] > 0 || n <= k) {
        continue;
      }
      while (random.nextDouble() * (n - k) >= sizes[donor] - 1) {
        donor = (donor + 1) % k;
      }
      for (int d = 0; d < dimension; d++) {
        float value = centroids[donor * dimension + d];
        float nudge = d % 2 == 0 ? NUDGE : -NUDGE;
        centroids[c * dimension + d] = value * (1 + nudge);
        centroids[donor * dimension + d] = value * (1 - nudge);
      }
      sizes[c] = sizes[donor] / 2;
      sizes[donor] -= sizes[c];
    }
  }
}
