package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.index.IndexDescription;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.scan.VectorQuery;
import dev.lance4j.write.MergeOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories of tables with a vector index of each kind. After each step a search of all
 * partitions that measures many candidates exactly finds what brute force finds.
 */
class VectorLifeCycleTest {
  private static final int K = 10;
  private static final int PARTITIONS = 4;
  private static final int SEEDS = Integer.getInteger("lance4j.histories", 3);

  private enum Step {
    APPEND,
    UPDATE,
    UPDATE_IN_PLACE,
    UPDATE_OTHER_COLUMN,
    DELETE,
    COMPACT,
    COMPACT_WITH_DEFERRED_REMAP,
    REMAP,
    OPTIMIZE_APPEND,
    OPTIMIZE_MERGE,
    OPTIMIZE_MERGE_ALL,
    RETRAIN,
    REOPEN
  }

  /**
   * A history.
   *
   * @param multi whether rows have lists of vectors
   * @param seed of the order of the steps, and of what they do
   */
  record Life(VectorIndexType type, Metric metric, boolean stable, boolean multi, long seed) {
    VectorIndexSpec spec() {
      VectorIndexSpec spec =
          VectorIndexSpec.of(type).metric(metric).partitions(PARTITIONS).sampleRate(64);
      return type.quantization() == VectorIndexType.Quantization.PRODUCT
          ? spec.subVectors(4).bits(4)
          : spec;
    }
  }

  static List<Life> lives() {
    List<Life> lives = new ArrayList<>();
    Metric[] metrics = {Metric.L2, Metric.COSINE, Metric.DOT};
    for (VectorIndexType type : VectorIndexType.values()) {
      for (boolean stable : new boolean[] {false, true}) {
        for (int seed = 1; seed <= SEEDS; seed++) {
          lives.add(new Life(type, metrics[(seed - 1) % 3], stable, false, seed));
        }
        lives.add(new Life(type, Metric.COSINE, stable, true, SEEDS));
      }
    }
    return lives;
  }

  @ParameterizedTest
  @MethodSource("lives")
  void findsTheTruthAfterEachStepInAnyOrder(Life life) throws Exception {
    new History(life).run();
  }

  /** A history that is under way. */
  private static final class History {
    private final Life life;
    private final SplittableRandom random;
    private final List<Step> done = new ArrayList<>();
    private final List<double[]> former = new ArrayList<>();
    private long nextKey;

    History(Life life) {
      this.life = life;
      this.random = new SplittableRandom(31L * life.type().name().hashCode() + life.seed());
    }

    void run() throws Exception {
      Map<Long, double[][]> first = rows(320);
      try (VectorTwin twin =
          life.multi()
              ? VectorTwin.ofLists(first, life.stable(), 90)
              : VectorTwin.ofVectors(first, life.stable(), 90)) {
        twin.maintain(dataset -> dataset.createIndex("v", life.spec()));
        check(twin);
        for (Step step : steps()) {
          done.add(step);
          take(step, twin);
          check(twin);
          if (twin.dataset().describeIndices().isEmpty()) {
            // An index goes when values change in place in all fragments that it covers.
            assertThat(step).as("%s", done).isEqualTo(Step.UPDATE_IN_PLACE);
            twin.maintain(dataset -> dataset.createIndex("v", life.spec()));
          }
        }
        twin.maintain(dataset -> dataset.dropIndex("v_idx"));
        assertThat(twin.dataset().describeIndices()).isEmpty();
        check(twin);
      }
    }

    /** Each step once, and some a second time. */
    private List<Step> steps() {
      Random order = new Random(random.nextLong());
      List<Step> steps = new ArrayList<>(List.of(Step.values()));
      Collections.shuffle(steps, order);
      steps.addAll(List.copyOf(steps.subList(0, 5)));
      Collections.shuffle(steps, order);
      return steps;
    }

    private Map<Long, double[][]> rows(int count) {
      Map<Long, double[][]> rows = VectorTwin.random(nextKey, count, random);
      nextKey += count;
      rows.replaceAll((k, vectors) -> vectors());
      return rows;
    }

    /** The vectors of a row: none, zero, no number, or ordinary ones. */
    private double[][] vectors() {
      int kind = random.nextInt(30);
      if (kind < 2) {
        return null;
      }
      double[][] vectors = new double[life.multi() ? random.nextInt(4) : 1][];
      for (int i = 0; i < vectors.length; i++) {
        vectors[i] = kind == 2 ? new double[VectorTwin.DIMENSION] : VectorTwin.vector(random);
        if (kind == 3) {
          vectors[i][random.nextInt(VectorTwin.DIMENSION)] = Double.NaN;
        }
      }
      return vectors;
    }

    private void take(Step step, VectorTwin twin) {
      switch (step) {
        case APPEND -> twin.append(rows(20 + random.nextInt(40)));
        case UPDATE -> twin.merge(changes(twin, 40), MergeOptions.Form.REWRITE_ROWS);
        case UPDATE_IN_PLACE -> twin.merge(changes(twin, 6), MergeOptions.Form.REWRITE_COLUMNS);
        case UPDATE_OTHER_COLUMN -> twin.touch(17, random.nextInt(17));
        case DELETE -> twin.delete(13, random.nextInt(13));
        case COMPACT -> twin.maintain(dataset -> compact(dataset, false));
        case COMPACT_WITH_DEFERRED_REMAP ->
            twin.maintain(dataset -> compact(dataset, !life.stable()));
        case REMAP -> twin.maintain(Dataset::remapIndices);
        case OPTIMIZE_APPEND -> optimize(twin, OptimizeOptions.append());
        case OPTIMIZE_MERGE -> optimize(twin, OptimizeOptions.merge(1 + random.nextInt(2)));
        case OPTIMIZE_MERGE_ALL -> {
          optimize(twin, OptimizeOptions.merge(100));
          assertThat(index(twin).segments()).as("%s", done).hasSize(1);
        }
        case RETRAIN -> {
          optimize(twin, OptimizeOptions.retrain());
          assertThat(index(twin).segments()).as("%s", done).hasSize(1);
        }
        case REOPEN -> twin.reopen();
      }
    }

    private Dataset compact(Dataset dataset, boolean deferred) {
      CompactionOptions options =
          CompactionOptions.builder()
              .targetRowsPerFragment(150)
              .materializeDeletionsThreshold(0)
              .deferIndexRemap(deferred)
              .build();
      return dataset.compact(options).dataset();
    }

    private void optimize(VectorTwin twin, OptimizeOptions options) {
      twin.maintain(dataset -> dataset.optimizeIndices(options));
      assertThat(index(twin).rowsIndexed()).as("%s", done).isEqualTo(twin.rows().size());
    }

    private static IndexDescription index(VectorTwin twin) {
      return twin.dataset().describeIndices().get(0);
    }

    private Map<Long, double[][]> changes(VectorTwin twin, int count) {
      List<Long> keys = new ArrayList<>(twin.rows().keySet());
      Map<Long, double[][]> changes = VectorTwin.random(0, 0, random);
      int start = random.nextInt(keys.size() - 100);
      for (int i = 0; i < count; i++) {
        long key = keys.get(start + random.nextInt(100));
        double[][] old = twin.rows().get(key);
        if (old != null && old.length > 0) {
          former.add(old[0]);
        }
        changes.put(key, vectors());
      }
      return changes;
    }

    private void check(VectorTwin twin) throws Exception {
      String when = "after " + done + " of " + life;
      List<double[]> places = new ArrayList<>();
      places.add(VectorTwin.vector(random));
      twin.rows().values().stream()
          .filter(vectors -> vectors != null && vectors.length > 0)
          .skip(random.nextInt(100))
          .limit(1)
          .forEach(vectors -> places.add(vectors[0]));
      if (!former.isEmpty()) {
        places.add(former.get(random.nextInt(former.size())));
      }
      for (double[] place : places) {
        if (IntStream.range(0, place.length).noneMatch(i -> Double.isNaN(place[i]))) {
          check(twin, place, when);
        }
      }
      if (!twin.dataset().describeIndices().isEmpty()) {
        assertThat(twin.dataset().scan().nearest(query(places.subList(0, 1), K)).explain())
            .as(when)
            .contains("Search index v_idx (" + life.type());
      }
    }

    private void check(VectorTwin twin, double[] place, String when) throws Exception {
      List<double[]> vectors = new ArrayList<>(List.of(place));
      if (life.multi()) {
        vectors.add(VectorTwin.vector(random));
      }
      double[][] searched = vectors.toArray(double[][]::new);
      twin.check(query(vectors, K), searched, life.metric(), when);
      twin.check(query(vectors, 1), searched, life.metric(), when);
      twin.check(query(vectors, 1_000), searched, life.metric(), when);
    }

    /** A query that looks at all rows. */
    private VectorQuery query(List<double[]> vectors, int k) {
      VectorQuery query =
          life.multi()
              ? VectorQuery.of("v", vectors.toArray(double[][]::new))
              : VectorQuery.of("v", vectors.get(0));
      return query.k(k).metric(life.metric()).probes(PARTITIONS).refine(1 + 1_000 / k);
    }
  }
}
