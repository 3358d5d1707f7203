package dev.lance4j.index.vector.internal.kmeans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.vector.internal.kernel.Panels;
import dev.lance4j.index.vector.internal.parallel.ParallelRanges;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class KMeansTest {
  private static final KMeansOptions OPTIONS = new KMeansOptions(false, 50, false, 7);

  /** Vectors close to a few far centres: vector i belongs to centre i modulo their number. */
  private static Rows blobs(int count, int dimension, int centers, double spread) {
    SplittableRandom random = new SplittableRandom(11);
    float[][] middle = new float[centers][dimension];
    for (float[] center : middle) {
      for (int d = 0; d < dimension; d++) {
        center[d] = (float) (random.nextGaussian() * 50);
      }
    }
    float[] values = new float[count * dimension];
    for (int i = 0; i < values.length; i++) {
      float center = middle[i / dimension % centers][i % dimension];
      values[i] = center + (float) (random.nextGaussian() * spread);
    }
    return Rows.of(values, count, dimension);
  }

  private static double loss(Rows rows, float[] centroids, int[] sizes) {
    int k = centroids.length / rows.dimension();
    int[] assigned = new int[rows.count()];
    float[] distances = new float[rows.count()];
    Panels panels = Panels.of(centroids, 0, k, rows.dimension());
    KMeans.assign(rows, panels, false, assigned, distances, ParallelRanges.SEQUENTIAL);
    double loss = 0;
    for (int r = 0; r < rows.count(); r++) {
      loss += distances[r];
      sizes[assigned[r]]++;
    }
    return loss;
  }

  @Test
  void farApartClustersAreFound() {
    Rows rows = blobs(2_000, 6, 4, 0.1);
    double best = Double.MAX_VALUE;
    for (int seed = 0; seed < 5; seed++) {
      float[] centroids =
          KMeans.train(
              rows, 8, null, new KMeansOptions(false, 50, false, seed), ParallelRanges.SEQUENTIAL);
      best = Math.min(best, loss(rows, centroids, new int[8]));
    }
    // The squared deviation of each component is 0.01.
    assertThat(best / rows.count()).isLessThan(0.07);
  }

  @Test
  void theResultDependsOnTheSeedAndNotOnTheThreads() {
    Rows rows = blobs(6_000, 5, 30, 10);
    float[] alone = KMeans.train(rows, 20, null, OPTIONS, ParallelRanges.SEQUENTIAL);
    ExecutorService executor = Executors.newFixedThreadPool(3);
    try {
      ParallelRanges parallel = new ParallelRanges(executor, 4);
      assertThat(KMeans.train(rows, 20, null, OPTIONS, parallel)).isEqualTo(alone);
      assertThat(KMeans.train(rows, 20, null, OPTIONS.withSeed(8), parallel)).isNotEqualTo(alone);
    } finally {
      executor.shutdown();
    }
  }

  @Test
  void noClusterStaysEmpty() {
    // All but two vectors are equal: random starts leave most centroids without a vector.
    float[] values = new float[400];
    values[17] = 5;
    values[99] = -5;
    for (int i = 0; i < values.length; i++) {
      values[i] += 1 + i * 1e-4f;
    }
    Rows rows = Rows.of(values, values.length, 1);
    int[] sizes = new int[16];
    float[] centroids = KMeans.train(rows, 16, null, OPTIONS, ParallelRanges.SEQUENTIAL);
    loss(rows, centroids, sizes);
    assertThat(Arrays.stream(sizes).filter(size -> size == 0).count()).isLessThanOrEqualTo(3);
  }

  @Test
  void balancedClustersAreMoreEven() {
    SplittableRandom random = new SplittableRandom(3);
    float[] values = new float[8_000];
    for (int i = 0; i < values.length; i++) {
      double x = random.nextGaussian();
      values[i] = (float) (x * x * x);
    }
    Rows rows = Rows.of(values, values.length / 2, 2);
    int[] plain = new int[16];
    int[] balanced = new int[16];
    loss(rows, KMeans.train(rows, 16, null, OPTIONS, ParallelRanges.SEQUENTIAL), plain);
    KMeansOptions even = new KMeansOptions(false, 50, true, 7);
    loss(rows, KMeans.train(rows, 16, null, even, ParallelRanges.SEQUENTIAL), balanced);
    assertThat(Arrays.stream(balanced).max().getAsInt())
        .isLessThanOrEqualTo(Arrays.stream(plain).max().getAsInt());
  }

  @Test
  void asManyVectorsAsCentroidsAreEnough() {
    Rows rows = blobs(6, 3, 6, 1);
    float[] centroids = KMeans.train(rows, 6, null, OPTIONS, ParallelRanges.SEQUENTIAL);
    assertThat(loss(rows, centroids, new int[6])).isCloseTo(0, within(1e-3));
    assertThatThrownBy(() -> KMeans.train(rows, 7, null, OPTIONS, ParallelRanges.SEQUENTIAL))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("cannot train 7 centroids with 6 vectors");
  }

  @Test
  void manyCentroidsAreNearlyAsGoodAsWhenFoundAtOnce() {
    Rows rows = blobs(12_000, 4, 300, 8);
    int k = 300;
    double flat =
        loss(rows, KMeans.train(rows, k, null, OPTIONS, ParallelRanges.SEQUENTIAL), new int[k]);
    int[] sizes = new int[k];
    float[] split = HierarchicalKMeans.train(rows, k, OPTIONS, ParallelRanges.SEQUENTIAL);
    assertThat(split).hasSize(k * 4);
    assertThat(loss(rows, split, sizes)).isLessThan(flat * 1.3);
    assertThat(sizes).doesNotContain(0);
  }

  @Test
  void equalVectorsDoNotKeepCentroidsFromBeingMany() {
    float[] values = new float[2 * 1_000];
    Arrays.fill(values, 3);
    float[] centroids =
        HierarchicalKMeans.train(
            Rows.of(values, 1_000, 2), 300, OPTIONS, ParallelRanges.SEQUENTIAL);
    assertThat(centroids).hasSize(600);
    for (float value : centroids) {
      assertThat(value).isFinite();
    }
  }

  @Test
  void bitsAreClusteredByMajority() {
    SplittableRandom random = new SplittableRandom(5);
    byte[] centers = {0, 0, 0, 0, -1, -1, -1, -1};
    int count = 500;
    byte[] rows = new byte[count * 4];
    for (int r = 0; r < count; r++) {
      for (int b = 0; b < 4; b++) {
        int noise = random.nextInt(4) == 0 ? 1 << random.nextInt(8) : 0;
        rows[r * 4 + b] = (byte) (centers[r % 2 * 4 + b] ^ noise);
      }
    }
    byte[] centroids = BitKMeans.train(rows, count, 4, 2, 20, 1, ParallelRanges.SEQUENTIAL);
    byte[] sorted = centroids.clone();
    Arrays.sort(sorted);
    assertThat(sorted).containsExactly(-1, -1, -1, -1, 0, 0, 0, 0);
  }
}
