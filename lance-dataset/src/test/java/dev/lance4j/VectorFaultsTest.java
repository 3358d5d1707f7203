package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.VectorStates.Kind;
import dev.lance4j.VectorStates.Measured;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.VectorQuery;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faults that users of vector indices reported, tried with every kind of index in every state of
 * the table.
 */
class VectorFaultsTest {
  private static final int PARTITIONS = VectorStates.PARTITIONS;

  private final SplittableRandom random = new SplittableRandom(73);

  static List<Kind> kinds() {
    return VectorStates.kinds();
  }

  static List<Measured> measured() {
    return VectorStates.measured();
  }

  private static Scan scan(VectorTwin twin) {
    return twin.dataset().scan().select("k").withRowId();
  }

  private static List<Long> keys(List<VectorRows.Found> found) {
    return found.stream().map(VectorRows.Found::k).toList();
  }

  private static void index(VectorTwin twin, VectorIndexSpec spec) {
    twin.maintain(dataset -> dataset.createIndex("v", spec));
  }

  /** A condition after the search leaves few rows, and one before it k of them (M73). */
  @ParameterizedTest
  @MethodSource("kinds")
  void conditionsAroundK(Kind kind) throws Exception {
    Map<Long, double[][]> rows = VectorTwin.random(0, 2_000, random);
    try (VectorTwin twin = VectorTwin.ofVectors(rows, kind.stable(), 700)) {
      index(twin, kind.spec(Metric.L2));
      for (VectorStates state : VectorStates.values()) {
        state.enter(twin);
        double[][] place = {VectorTwin.vector(random)};
        Map<Long, Double> tenant = twin.distances(place, Metric.L2, k -> k % 60 == 7);
        for (int k : new int[] {1, 2, 4, 20}) {
          VectorQuery query = VectorQuery.of("v", place[0]).k(k).minProbes(PARTITIONS);
          Scan before = scan(twin).where("k % 60 = 7").prefilter(true);
          assertThat(keys(VectorRows.read(before.nearest(query).open())))
              .as("%s", state)
              .hasSize(k)
              .doesNotHaveDuplicates()
              .allMatch(tenant::containsKey);
          assertThat(keys(VectorRows.read(before.nearest(query.probes(1, PARTITIONS)).open())))
              .as("few partitions, %s", state)
              .hasSize(k);
          VectorTwin.assertNearest(
              VectorRows.read(
                  before.nearest(kind.isExact() ? query : query.refine(2_500 / k)).open()),
              tenant,
              k,
              state.toString());
          List<VectorRows.Found> all = VectorRows.read(scan(twin).nearest(query).open());
          assertThat(VectorRows.read(scan(twin).nearest(query).where("k % 60 = 7").open()))
              .as("%s", state)
              .isEqualTo(all.stream().filter(row -> row.k() % 60 == 7).toList());
          assertThat(scan(twin).nearest(query).where("k < 0").count()).isZero();
        }
      }
    }
  }

  /** Vectors without a direction neither attract every query nor get lost (M74). */
  @ParameterizedTest
  @MethodSource("measured")
  void manyZeroVectors(Measured measured) throws Exception {
    Map<Long, double[][]> rows = VectorTwin.random(0, 500, random);
    rows.replaceAll((k, v) -> k % 5 < 2 ? new double[][] {new double[VectorTwin.DIMENSION]} : v);
    VectorIndexSpec spec = measured.kind().spec(measured.metric());
    // With 256 centroids for each part there are hardly more vectors than these.
    VectorIndexSpec finest = measured.kind().isProduct() ? spec.bits(8) : spec;
    try (VectorTwin twin = VectorTwin.ofVectors(rows, measured.kind().stable(), 180)) {
      index(twin, finest);
      for (VectorStates state : VectorStates.values()) {
        state.enter(twin);
        eachRowIsItsOwnNearest(twin, measured.metric(), state.toString());
      }
    }
  }

  private void eachRowIsItsOwnNearest(VectorTwin twin, Metric metric, String state)
      throws Exception {
    boolean zerosCount = metric == Metric.L2;
    for (Map.Entry<Long, double[][]> row : twin.rows().entrySet()) {
      double[] vector = row.getValue()[0];
      boolean zero = Arrays.stream(vector).allMatch(v -> v == 0);
      if (row.getKey() % 7 == 3 && (zerosCount || !zero)) {
        VectorQuery query = VectorQuery.of("v", vector).k(1).probes(PARTITIONS).refine(40).ef(200);
        List<VectorRows.Found> found = VectorRows.read(scan(twin).nearest(query).open());
        assertThat(found).as(state).hasSize(1);
        assertThat(found.get(0).distance()).as("row %s, %s", row.getKey(), state).isLessThan(1e-6);
      }
    }
    VectorQuery all =
        VectorQuery.of("v", VectorTwin.vector(random)).k(1_000).metric(metric).probes(PARTITIONS);
    double[][] query = {all.numbers().get(0)};
    List<VectorRows.Found> found = VectorRows.read(scan(twin).nearest(all.refine(1)).open());
    VectorTwin.assertNearest(found, twin.distances(query, metric, k -> true), 1_000, state);
  }

  /** Many more partitions than there are different vectors (M74). */
  @ParameterizedTest
  @MethodSource("measured")
  void morePartitionsThanPoints(Measured measured) throws Exception {
    double[][] points =
        VectorTwin.random(0, 3, random).values().stream()
            .map(vectors -> vectors[0])
            .toArray(double[][]::new);
    Map<Long, double[][]> rows = new TreeMap<>();
    for (long k = 0; k < 500; k++) {
      rows.put(k, new double[][] {points[(int) (k % 3)]});
    }
    try (VectorTwin twin = VectorTwin.ofVectors(rows, measured.kind().stable(), 180)) {
      index(twin, measured.kind().spec(measured.metric()).partitions(64));
      for (VectorStates state : VectorStates.values()) {
        state.enter(twin);
        for (double[] point : points) {
          VectorQuery query =
              VectorQuery.of("v", point).k(30).metric(measured.metric()).probes(64).refine(30);
          twin.check(query, new double[][] {point}, measured.metric(), state.toString());
          twin.check(
              query.k(1_000).refine(1), new double[][] {point}, measured.metric(), "all, " + state);
        }
      }
    }
  }

  /** Nothing to learn from (M74). */
  @ParameterizedTest
  @MethodSource("measured")
  void noVectorAtAll(Measured measured) {
    Map<Long, double[][]> rows = VectorTwin.random(0, 100, random);
    double[] none = new double[VectorTwin.DIMENSION];
    if (measured.metric() != Metric.COSINE) {
      none[3] = Double.NaN;
    }
    rows.replaceAll((k, v) -> k % 2 == 0 ? null : new double[][] {none});
    try (VectorTwin twin = VectorTwin.ofVectors(rows, measured.kind().stable(), 60)) {
      VectorIndexSpec spec = measured.kind().spec(measured.metric());
      assertThatThrownBy(() -> twin.dataset().createIndex("v", spec))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("KMeans cannot train")
          .hasMessageContaining("0 vectors");
      assertThat(twin.dataset().latest().version()).isEqualTo(twin.dataset().version());
    }
  }

  /** An index of dot products does not answer for other metrics (M75). */
  @ParameterizedTest
  @MethodSource("kinds")
  void indicesOfAnotherMetricAreNotUsed(Kind kind) throws Exception {
    Map<Long, double[][]> rows = VectorTwin.random(0, 1_024, random);
    for (double[][] vectors : rows.values()) {
      for (int i = 0; i < VectorTwin.DIMENSION; i++) {
        vectors[0][i] = 15 + 2.5 * vectors[0][i];
      }
    }
    try (VectorTwin twin = VectorTwin.ofVectors(rows, kind.stable(), 400)) {
      index(twin, kind.spec(Metric.DOT));
      for (VectorStates state : VectorStates.values()) {
        state.enter(twin);
        double[][] place = {rows.get(17L)[0]};
        VectorQuery query = VectorQuery.of("v", place[0]).k(5).probes(PARTITIONS).refine(300);
        for (Metric metric : List.of(Metric.L2, Metric.COSINE)) {
          Scan other = scan(twin).nearest(query.metric(metric));
          assertThat(other.explain()).contains("v_idx is not used: its distances are by dot");
          VectorTwin.assertNearest(
              VectorRows.read(other.open()),
              twin.distances(place, metric, k -> true),
              5,
              metric + ", " + state);
        }
        Scan omitted = scan(twin).nearest(query);
        assertThat(omitted.explain()).contains("Search index v_idx");
        List<VectorRows.Found> found = VectorRows.read(omitted.open());
        VectorTwin.assertNearest(
            found, twin.distances(place, Metric.DOT, k -> true), 5, "" + state);
        assertThat(found)
            .as("%s", state)
            .isEqualTo(VectorRows.read(scan(twin).nearest(query.metric(Metric.DOT)).open()));
      }
    }
  }

  /** Bringing an index up to date that is up to date changes nothing (M64). */
  @ParameterizedTest
  @MethodSource("kinds")
  void optimizingWithoutNewsChangesNothing(Kind kind) throws Exception {
    Map<Long, double[][]> rows = VectorTwin.random(0, 1_000, random);
    try (VectorTwin twin = VectorTwin.ofVectors(rows, kind.stable(), 300)) {
      index(twin, kind.spec(Metric.L2).partitions(2));
      for (VectorStates state : VectorStates.values()) {
        state.enter(twin);
        VectorQuery query = VectorQuery.of("v", VectorTwin.vector(random)).k(5).probes(2);
        if (state == VectorStates.APPENDED) {
          continue;
        }
        if (state == VectorStates.DELETED || state == VectorStates.COMPACTED) {
          twin.maintain(dataset -> dataset.optimizeIndices(OptimizeOptions.append()));
        }
        List<VectorRows.Found> before = VectorRows.read(scan(twin).nearest(query).open());
        assertThat(before).hasSize(5);
        assertThat(before.stream().map(VectorRows.Found::rowId)).doesNotHaveDuplicates();
        long version = twin.dataset().version();
        for (OptimizeOptions options :
            List.of(
                OptimizeOptions.append(), OptimizeOptions.defaults(), OptimizeOptions.merge(1))) {
          twin.maintain(dataset -> dataset.optimizeIndices(options));
          assertThat(twin.dataset().version()).as("%s, %s", options, state).isEqualTo(version);
          assertThat(VectorRows.read(scan(twin).nearest(query).open()))
              .as("%s, %s", options, state)
              .isEqualTo(before);
        }
      }
      long version = twin.dataset().version();
      twin.maintain(dataset -> dataset.optimizeIndices(OptimizeOptions.merge(9)));
      assertThat(twin.dataset().version()).isEqualTo(version);
    }
  }
}
