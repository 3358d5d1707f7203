package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lance4j.VectorStates.Kind;
import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.VectorQuery;
import dev.lance4j.write.MergeOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A vector index keeps the vectors that rows had before they were changed or deleted. None of them
 * is found, none takes the place of another, and no row is found twice.
 */
class StaleNeighborsTest {
  private static final int ROWS = 400;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final SplittableRandom random = new SplittableRandom(12);

  static List<Kind> kinds() {
    return VectorStates.kinds();
  }

  private VectorTwin table(Kind kind) {
    VectorTwin twin =
        VectorTwin.ofVectors(VectorTwin.random(0, ROWS, random), kind.stable(), ROWS / 4);
    twin.maintain(dataset -> dataset.createIndex("v", kind.spec(Metric.L2)));
    return twin;
  }

  private static UnaryOperator<Dataset> optimize(OptimizeOptions options) {
    return dataset -> dataset.optimizeIndices(options);
  }

  private static Dataset compact(Dataset dataset) {
    return dataset
        .compact(
            CompactionOptions.builder()
                .targetRowsPerFragment(10_000)
                .materializeDeletionsThreshold(0)
                .build())
        .dataset();
  }

  /** Vectors far away from all others. */
  private Map<Long, double[][]> away(long... keys) {
    Map<Long, double[][]> rows = VectorTwin.random(0, 0, random);
    for (long key : keys) {
      double[] vector = VectorTwin.vector(random);
      rows.put(key, new double[][] {Arrays.stream(vector).map(v -> v + 100).toArray()});
    }
    return rows;
  }

  /**
   * Near to a place that rows have left, and where they are now, those are found that are there.
   */
  private void check(VectorTwin twin, Kind kind, double[] place, String when) throws Exception {
    VectorQuery query = VectorQuery.of("v", place).k(8).probes(VectorStates.PARTITIONS);
    twin.check(query.refine(100), new double[][] {place}, Metric.L2, when);
    if (kind.isExact()) {
      twin.check(query, new double[][] {place}, Metric.L2, when);
    }
    Scan scan = twin.dataset().scan().select("k").withRowId().nearest(query);
    List<VectorRows.Found> found = VectorRows.read(scan.open());
    assertThat(found.stream().map(VectorRows.Found::rowId)).as(when).doesNotHaveDuplicates();
    assertThat(found.stream().map(VectorRows.Found::k))
        .as(when)
        .hasSize(8)
        .isSubsetOf(twin.rows().keySet());
  }

  private void checkBoth(VectorTwin twin, Kind kind, double[] before, String when)
      throws Exception {
    check(twin, kind, before, when);
    check(twin, kind, twin.rows().get(50L)[0], when);
  }

  /** Two rows are moved far away, and the index is brought up to date, merged and compacted. */
  @ParameterizedTest
  @MethodSource("kinds")
  void movedRowsAreFoundWhereTheyAreOnce(Kind kind) throws Exception {
    try (VectorTwin twin = table(kind)) {
      double[] before = twin.rows().get(50L)[0];
      twin.merge(away(50, 51), MergeOptions.Form.REWRITE_ROWS);
      checkBoth(twin, kind, before, "update");
      twin.maintain(optimize(OptimizeOptions.append()));
      checkBoth(twin, kind, before, "new segment");
      twin.maintain(optimize(OptimizeOptions.merge(2)));
      checkBoth(twin, kind, before, "merge of segments");
      twin.maintain(StaleNeighborsTest::compact);
      checkBoth(twin, kind, before, "compaction");
      twin.maintain(optimize(OptimizeOptions.merge(2)));
      twin.reopen();
      checkBoth(twin, kind, before, "merge after compaction");
    }
  }

  /** The same when the compaction comes before the index is brought up to date. */
  @ParameterizedTest
  @MethodSource("kinds")
  void movedRowsSurviveACompactionBeforeTheIndexFollows(Kind kind) throws Exception {
    try (VectorTwin twin = table(kind)) {
      double[] before = twin.rows().get(50L)[0];
      twin.merge(away(50, 51), MergeOptions.Form.REWRITE_ROWS);
      twin.maintain(StaleNeighborsTest::compact);
      checkBoth(twin, kind, before, "compaction");
      twin.maintain(optimize(OptimizeOptions.append()));
      checkBoth(twin, kind, before, "new segment");
      twin.maintain(StaleNeighborsTest::compact);
      twin.maintain(optimize(OptimizeOptions.merge(2)));
      checkBoth(twin, kind, before, "merge of segments");
    }
  }

  /** Values change in their fragments, whose ids and deletions stay what they were. */
  @ParameterizedTest
  @MethodSource("kinds")
  void rowsThatChangeInTheirFragmentsAreFoundWhereTheyAre(Kind kind) throws Exception {
    try (VectorTwin twin = table(kind)) {
      double[] before = twin.rows().get(50L)[0];
      twin.merge(away(50, 51), MergeOptions.Form.REWRITE_COLUMNS);
      checkBoth(twin, kind, before, "update");
      twin.maintain(optimize(OptimizeOptions.append()));
      checkBoth(twin, kind, before, "new segment");
      twin.maintain(StaleNeighborsTest::compact);
      checkBoth(twin, kind, before, "compaction");
      twin.maintain(optimize(OptimizeOptions.merge(2)));
      checkBoth(twin, kind, before, "merge of segments");
    }
  }

  /** Half of the rows were at the place that is searched, and are elsewhere now. */
  @ParameterizedTest
  @MethodSource("kinds")
  void rowsThatLeftDoNotTakeThePlacesOfThoseThatAreThere(Kind kind) throws Exception {
    Map<Long, double[][]> rows = VectorTwin.random(0, ROWS, random);
    double[] place = new double[VectorTwin.DIMENSION];
    rows.replaceAll((k, v) -> k % 2 == 0 ? new double[][] {place} : v);
    try (VectorTwin twin = VectorTwin.ofVectors(rows, kind.stable(), ROWS / 4)) {
      twin.maintain(dataset -> dataset.createIndex("v", kind.spec(Metric.L2)));
      long[] left = rows.keySet().stream().filter(k -> k % 2 == 0).mapToLong(k -> k).toArray();
      twin.merge(away(left), MergeOptions.Form.REWRITE_ROWS);
      check(twin, kind, place, "update");
      twin.maintain(optimize(OptimizeOptions.append()));
      check(twin, kind, place, "new segment");
      twin.maintain(optimize(OptimizeOptions.merge(2)));
      check(twin, kind, place, "merge of segments");
    }
  }

  /** A fragment that an index no longer covers, for its values changed, goes altogether. */
  @ParameterizedTest
  @MethodSource("kinds")
  void rowsOfFragmentsThatAreGoneDoNotTakePlaces(Kind kind) throws Exception {
    try (VectorTwin twin = table(kind)) {
      double[] place = twin.rows().get(7L)[0];
      Map<Long, double[][]> near = new TreeMap<>();
      for (long k = 0; k < ROWS / 4; k++) {
        near.put(k, new double[][] {place});
      }
      twin.merge(near, MergeOptions.Form.REWRITE_COLUMNS);
      check(twin, kind, place, "update");
      Dataset before = twin.dataset();
      twin.maintain(dataset -> dataset.delete("k < " + ROWS / 4).dataset());
      assertThat(before.fragments()).hasSize(4);
      assertThat(twin.dataset().fragments()).hasSize(3);
      twin.rows().keySet().removeIf(k -> k < ROWS / 4);
      check(twin, kind, place, "delete");
      twin.append(VectorTwin.random(ROWS, 50, random));
      check(twin, kind, place, "append");
      twin.maintain(optimize(OptimizeOptions.merge(1)));
      check(twin, kind, place, "merge");
      assertThat(entries(twin)).isEqualTo(twin.rows().size());
    }
  }

  /** An index is merged and built anew after many rows were deleted. */
  @ParameterizedTest
  @MethodSource("kinds")
  void mergedSegmentsHoldTheRowsThatAreThereAndNoOthers(Kind kind) throws Exception {
    try (VectorTwin twin = table(kind)) {
      double[] place = twin.rows().get(7L)[0];
      twin.append(VectorTwin.random(ROWS, 60, random));
      twin.maintain(optimize(OptimizeOptions.append()));
      twin.delete(5, 2);
      twin.merge(away(50, 51, 400), MergeOptions.Form.REWRITE_ROWS);
      check(twin, kind, place, "delete");
      twin.maintain(optimize(OptimizeOptions.merge(9)));
      assertThat(entries(twin)).isEqualTo(twin.rows().size());
      check(twin, kind, place, "merge");
      twin.delete(5, 3);
      twin.maintain(optimize(OptimizeOptions.retrain()));
      assertThat(entries(twin)).isEqualTo(twin.rows().size());
      check(twin, kind, place, "retrain");
    }
  }

  /** Keys and vectors are found after a compaction and an update of the index, as in a list. */
  @ParameterizedTest
  @MethodSource("kinds")
  void everyRowIsItsOwnNearestAfterCompactionAndOptimizing(Kind kind) throws Exception {
    try (VectorTwin twin = table(kind)) {
      twin.delete(10, 1);
      twin.maintain(StaleNeighborsTest::compact);
      twin.append(VectorTwin.random(ROWS, 40, random));
      twin.maintain(optimize(OptimizeOptions.merge(1)));
      for (Map.Entry<Long, double[][]> row : twin.rows().entrySet()) {
        VectorQuery query =
            VectorQuery.of("v", row.getValue()[0]).k(1).probes(VectorStates.PARTITIONS).refine(99);
        assertThat(
                VectorRows.read(
                    twin.dataset().scan().select("k").withRowId().nearest(query).open()))
            .as("%s", row.getKey())
            .singleElement()
            .satisfies(
                found -> assertThat(twin.rows().get(found.k())[0]).isEqualTo(row.getValue()[0]));
      }
    }
  }

  /** How many vectors the segments of the index hold. */
  private static long entries(VectorTwin twin) throws Exception {
    long entries = 0;
    for (JsonNode segment :
        JSON.readTree(twin.dataset().indexStatistics("v_idx")).get("segments")) {
      for (JsonNode partition : segment.get("partitions")) {
        entries += partition.get("size").asLong();
      }
    }
    return entries;
  }
}
