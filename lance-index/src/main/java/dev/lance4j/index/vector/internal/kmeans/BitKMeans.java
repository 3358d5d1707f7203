package dev.lance4j.index.vector.internal.kmeans;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.vector.internal.kernel.Kernels;
import dev.lance4j.index.vector.internal.kernel.VectorKernels;
import dev.lance4j.index.vector.internal.parallel.ParallelRanges;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Clusters vectors of bits: they go to the centroid from which the fewest bits differ, and each bit
 * of a centroid is what most of its vectors have there.
 */
public final class BitKMeans {
  private static final int STEP = 1024;

  private BitKMeans() {}

  /**
   * Finds centroids.
   *
   * @param rows of {@code bytes} bytes each
   * @return the centroids, row after row
   * @throws InvalidInputException if there are fewer vectors than centroids
   */
  public static byte[] train(
      byte[] rows,
      int count,
      int bytes,
      int k,
      int maxIterations,
      long seed,
      ParallelRanges parallel) {
    if (count < k) {
      throw new InvalidInputException(
          String.format(
              "KMeans cannot train %d centroids with %d vectors; choose a smaller K (< %d)",
              k, count, count));
    }
    byte[] centroids = start(rows, count, bytes, k, new SplittableRandom(seed));
    int[] assigned = new int[count];
    for (int i = 0; i < maxIterations; i++) {
      int[] previous = assigned.clone();
      assign(rows, count, bytes, centroids, k, assigned, new int[count], parallel);
      vote(rows, count, bytes, assigned, k, centroids);
      if (i > 0 && Arrays.equals(previous, assigned)) {
        break;
      }
    }
    return centroids;
  }

  private static byte[] start(byte[] rows, int count, int bytes, int k, SplittableRandom random) {
    int[] chosen = RandomRows.choose(count, k, random);
    byte[] centroids = new byte[Math.multiplyExact(k, bytes)];
    for (int c = 0; c < k; c++) {
      System.arraycopy(rows, chosen[c] * bytes, centroids, c * bytes, bytes);
    }
    return centroids;
  }

  /**
   * Finds the centroid of each vector; of equally near ones the first.
   *
   * @param assigned takes it
   * @param distances takes the number of bits that differ
   */
  public static void assign(
      byte[] rows,
      int count,
      int bytes,
      byte[] centroids,
      int k,
      int[] assigned,
      int[] distances,
      ParallelRanges parallel) {
    VectorKernels kernels = Kernels.get();
    parallel.run(
        count,
        STEP,
        (from, to) -> {
          for (int r = from; r < to; r++) {
            int least = Integer.MAX_VALUE;
            for (int c = 0; c < k; c++) {
              int bits = kernels.hamming(rows, r * bytes, centroids, c * bytes, bytes);
              if (bits < least) {
                least = bits;
                assigned[r] = c;
              }
            }
            distances[r] = least;
          }
        });
  }

  private static void vote(
      byte[] rows, int count, int bytes, int[] assigned, int k, byte[] centroids) {
    int bits = bytes * Byte.SIZE;
    int[] votes = new int[Math.multiplyExact(k, bits)];
    int[] sizes = new int[k];
    for (int r = 0; r < count; r++) {
      sizes[assigned[r]]++;
      int at = assigned[r] * bits;
      for (int b = 0; b < bits; b++) {
        votes[at + b] += (rows[r * bytes + b / Byte.SIZE] >> (b % Byte.SIZE)) & 1;
      }
    }
    for (int c = 0; c < k; c++) {
      if (sizes[c] == 0) {
        continue;
      }
      Arrays.fill(centroids, c * bytes, (c + 1) * bytes, (byte) 0);
      for (int b = 0; b < bits; b++) {
        if (2L * votes[c * bits + b] > sizes[c]) {
          centroids[c * bytes + b / Byte.SIZE] |= (byte) (1 << (b % Byte.SIZE));
        }
      }
    }
  }
}
