package dev.lance4j;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lance4j.VectorStates.Kind;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.IndexNotFoundException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.index.IndexDescription;
import dev.lance4j.index.IndexOptions;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.VectorQuery;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Vector indices are made, replaced, described, damaged and dropped. */
class VectorIndexManagementTest {
  private static final int ROWS = 400;
  private static final int PARTITIONS = VectorStates.PARTITIONS;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final SplittableRandom random = new SplittableRandom(4);

  static List<Kind> kinds() {
    return VectorStates.kinds();
  }

  private VectorTwin table() {
    return VectorTwin.ofVectors(VectorTwin.random(0, ROWS, random), false, 150);
  }

  private static void index(VectorTwin twin, String name, VectorIndexSpec spec) {
    IndexOptions options = IndexOptions.builder().name(name).build();
    twin.maintain(dataset -> dataset.createIndex("v", spec.partitions(PARTITIONS), options));
  }

  private static void replace(VectorTwin twin, String name, VectorIndexSpec spec) {
    IndexOptions options = IndexOptions.builder().name(name).replace(true).build();
    twin.maintain(dataset -> dataset.createIndex("v", spec.partitions(PARTITIONS), options));
  }

  /** Checks that an index is used for queries by a metric, and finds the true rows. */
  private void requireUsed(VectorTwin twin, String name, VectorQuery query, Metric metric)
      throws Exception {
    double[][] place = {query.numbers().get(0)};
    VectorQuery thorough = query.k(9).probes(PARTITIONS).refine(60);
    assertThat(twin.dataset().scan().nearest(thorough).explain())
        .contains("Search index " + name + " (");
    twin.check(thorough, place, metric, "by " + name);
  }

  @Test
  void theFirstIndexOfTheMetricIsUsed() throws Exception {
    try (VectorTwin twin = table()) {
      VectorQuery query = VectorQuery.of("v", VectorTwin.vector(random));
      index(twin, "by_angle", VectorIndexSpec.ivfFlat().metric(Metric.COSINE));
      index(twin, "coarse", VectorIndexSpec.ivfSq());
      index(twin, "fine", VectorIndexSpec.ivfFlat());
      requireUsed(twin, "by_angle", query, Metric.COSINE);
      requireUsed(twin, "by_angle", query.metric(Metric.COSINE), Metric.COSINE);
      requireUsed(twin, "coarse", query.metric(Metric.L2), Metric.L2);
      twin.maintain(dataset -> dataset.dropIndex("coarse"));
      requireUsed(twin, "fine", query.metric(Metric.L2), Metric.L2);
      twin.maintain(dataset -> dataset.dropIndex("by_angle"));
      requireUsed(twin, "fine", query, Metric.L2);
      twin.maintain(dataset -> dataset.dropIndex("fine"));
      assertThat(twin.dataset().scan().nearest(query).explain()).doesNotContain("Search index");
      twin.check(query, new double[][] {query.numbers().get(0)}, Metric.L2, "without an index");
    }
  }

  @Test
  void severalIndicesOfAColumnAreKeptUpToDateTogetherOrByName() throws Exception {
    try (VectorTwin twin = table()) {
      index(twin, "flat", VectorIndexSpec.ivfFlat());
      index(twin, "angle", VectorIndexSpec.ivfHnswSq().metric(Metric.COSINE));
      twin.append(VectorTwin.random(ROWS, 50, random));
      twin.maintain(d -> d.optimizeIndices(OptimizeOptions.append().only("angle")));
      assertThat(rowsIndexed(twin))
          .containsExactly(Map.entry("angle", 450L), Map.entry("flat", 400L));
      twin.maintain(dataset -> dataset.optimizeIndices(OptimizeOptions.append()));
      assertThat(rowsIndexed(twin))
          .containsExactly(Map.entry("angle", 450L), Map.entry("flat", 450L));
      twin.delete(7, 2);
      twin.maintain(dataset -> dataset.compact().dataset());
      VectorQuery query = VectorQuery.of("v", VectorTwin.vector(random));
      requireUsed(twin, "flat", query.metric(Metric.L2), Metric.L2);
      requireUsed(twin, "angle", query.metric(Metric.COSINE), Metric.COSINE);
      assertThatThrownBy(
              () -> twin.dataset().optimizeIndices(OptimizeOptions.append().only("angle", "none")))
          .isInstanceOf(IndexNotFoundException.class)
          .hasMessageContaining("none");
    }
  }

  private static Map<String, Long> rowsIndexed(VectorTwin twin) {
    Map<String, Long> rows = new TreeMap<>();
    twin.dataset().describeIndices().forEach(index -> rows.put(index.name(), index.rowsIndexed()));
    return rows;
  }

  @Test
  void anIndexIsReplacedOnlyOnDemand() throws Exception {
    try (VectorTwin twin = table()) {
      index(twin, "by_v", VectorIndexSpec.ivfFlat());
      twin.append(VectorTwin.random(ROWS, 50, random));
      twin.maintain(dataset -> dataset.optimizeIndices(OptimizeOptions.append()));
      List<UUID> before = segments(twin);
      assertThat(before).hasSize(2);
      assertThatThrownBy(() -> index(twin, "by_v", VectorIndexSpec.ivfSq()))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'by_v' already exists");
      replace(twin, "by_v", VectorIndexSpec.ivfSq());
      assertThat(segments(twin)).hasSize(1).doesNotContainAnyElementsOf(before);
      IndexDescription description = twin.dataset().describeIndices().get(0);
      assertThat(description.type()).isEqualTo("IVF_SQ");
      assertThat(description.rowsIndexed()).isEqualTo(450);
      requireUsed(twin, "by_v", VectorQuery.of("v", VectorTwin.vector(random)), Metric.L2);
      IndexOptions replacing = IndexOptions.builder().name("by_v").replace(true).build();
      assertThatThrownBy(() -> twin.dataset().createIndex("k", ScalarIndexSpec.btree(), replacing))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("different fields");
      assertThatThrownBy(() -> twin.dataset().dropIndex("none"))
          .isInstanceOf(IndexNotFoundException.class)
          .hasMessageContaining("none");
    }
  }

  private static List<UUID> segments(VectorTwin twin) {
    List<UUID> uuids = new ArrayList<>();
    twin.dataset().describeIndices().get(0).segments().forEach(part -> uuids.add(part.uuid()));
    return uuids;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void statisticsTellWhatThereIs(Kind kind) throws Exception {
    Map<Long, double[][]> rows = VectorTwin.random(0, ROWS, random);
    rows.put(3L, null);
    try (VectorTwin twin = VectorTwin.ofVectors(rows, kind.stable(), 150)) {
      twin.maintain(dataset -> dataset.createIndex("v", kind.spec(Metric.COSINE)));
      twin.append(VectorTwin.random(ROWS, 40, random));
      twin.maintain(dataset -> dataset.optimizeIndices(OptimizeOptions.append()));
      twin.append(VectorTwin.random(ROWS + 40, 20, random));
      twin.delete(100, 1);

      IndexDescription description = twin.dataset().describeIndices().get(0);
      assertThat(description.name()).isEqualTo("v_idx");
      assertThat(description.type()).isEqualTo(kind.type().name());
      assertThat(description.columns()).containsExactly("v");
      assertThat(description.rowsIndexed()).isEqualTo(435);
      assertThat(description.segments()).hasSize(2).allMatch(part -> part.sizeBytes() > 0);
      assertThat(description.segments().get(0).fragmentIds()).containsExactly(0L, 1L, 2L);

      JsonNode statistics = JSON.readTree(twin.dataset().indexStatistics("v_idx"));
      assertThat(statistics.get("index_type").asText()).isEqualTo(kind.type().name());
      assertThat(statistics.get("num_segments").asInt()).isEqualTo(2);
      assertThat(statistics.get("num_indices").asInt()).isEqualTo(2);
      assertThat(statistics.get("num_indexed_fragments").asInt()).isEqualTo(4);
      assertThat(statistics.get("num_unindexed_fragments").asInt()).isEqualTo(1);
      assertThat(statistics.get("num_indexed_rows").asInt()).isEqualTo(435);
      assertThat(statistics.get("num_unindexed_rows").asInt()).isEqualTo(20);
      assertThat(statistics.get("num_indexed_rows_per_delta").toString()).isEqualTo("[396,39]");
      int[] vectors = {ROWS - 1, 40};
      for (int i = 0; i < 2; i++) {
        JsonNode segment = statistics.get("segments").get(i);
        assertThat(segment.get("index_type").asText()).isEqualTo(kind.type().name());
        assertThat(segment.get("metric_type").asText()).isEqualTo("cosine");
        assertThat(segment.get("num_partitions").asInt()).isEqualTo(PARTITIONS);
        assertThat(segment.get("centroids")).hasSize(PARTITIONS);
        int stored = 0;
        for (JsonNode partition : segment.get("partitions")) {
          stored += partition.get("size").asInt();
        }
        assertThat(stored).isEqualTo(vectors[i]);
        JsonNode sub = segment.get("sub_index");
        String quantization = kind.type().name().replaceAll("IVF_|HNSW_", "");
        assertThat(sub.get("index_type").asText())
            .isEqualTo(kind.type().hasGraph() ? "HNSW" : quantization);
        assertThat(sub.has("params")).isEqualTo(kind.type().hasGraph());
        assertThat(sub.get("dim").asInt()).isEqualTo(VectorTwin.DIMENSION);
        assertThat(sub.has("num_sub_vectors")).isEqualTo(kind.isProduct());
      }
    }
  }

  private enum Damage {
    MISSING,
    CUT,
    GARBAGE;

    void doTo(VectorTwin twin, String path) {
      byte[] bytes;
      try (ObjectReader reader = twin.store().open(path)) {
        bytes = new byte[(int) reader.size()];
        reader.read(0, bytes.length).get(bytes);
      }
      twin.store().delete(path);
      switch (this) {
        case MISSING -> {}
        case CUT -> twin.store().put(path, ByteBuffer.wrap(bytes, 0, bytes.length - 20));
        case GARBAGE -> twin.store().put(path, ByteBuffer.wrap("no index".getBytes(UTF_8)));
      }
    }
  }

  record Damaged(VectorIndexType type, String file, Damage damage, int segment) {}

  static List<Damaged> damaged() {
    List<Damaged> all = new ArrayList<>();
    for (VectorIndexType type : VectorIndexType.values()) {
      for (String file : List.of("index.idx", "auxiliary.idx")) {
        for (Damage damage : Damage.values()) {
          all.add(new Damaged(type, file, damage, 0));
          all.add(new Damaged(type, file, damage, 1));
        }
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("damaged")
  void aDamagedSegmentIsAnErrorThatNamesTheIndexUnlessSearchesGoOnWithoutIt(Damaged damaged)
      throws Exception {
    try (VectorTwin twin = table()) {
      VectorIndexSpec spec = new Kind(damaged.type(), false).spec(Metric.L2);
      twin.maintain(dataset -> dataset.createIndex("v", spec));
      twin.append(VectorTwin.random(ROWS, 50, random));
      twin.maintain(dataset -> dataset.optimizeIndices(OptimizeOptions.append()));
      UUID uuid = segments(twin).get(damaged.segment());
      damaged.damage().doTo(twin, "vectors/_indices/" + uuid + "/" + damaged.file());
      twin.reopen();
      VectorQuery query = VectorQuery.of("v", VectorTwin.vector(random)).k(7).probes(PARTITIONS);
      Scan scan = twin.dataset().scan().nearest(query).select("k").withRowId();
      assertThatThrownBy(() -> VectorRows.read(scan.open()))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("index 'v_idx' is damaged")
          .hasMessageContaining("replace");
      List<VectorRows.Found> exact = VectorRows.read(scan.nearest(query.useIndex(false)).open());
      assertThat(VectorRows.read(scan.skipDamagedIndices(true).open())).isEqualTo(exact);
      assertThat(scan.skipDamagedIndices(true).analyze().toString())
          .contains("index 'v_idx' is damaged");
      long version = twin.dataset().version();
      assertThatThrownBy(() -> twin.dataset().optimizeIndices(OptimizeOptions.merge(2)))
          .isInstanceOf(CorruptFileException.class);
      assertThat(twin.dataset().latest().version()).isEqualTo(version);
      replace(twin, "v_idx", spec);
      requireUsed(twin, "v_idx", query, Metric.L2);
    }
  }

  @Test
  void anUntrainedIndexIsRefused() {
    IndexOptions untrained = IndexOptions.builder().train(false).build();
    try (VectorTwin twin = table()) {
      for (VectorIndexType type : VectorIndexType.values()) {
        VectorIndexSpec spec = VectorIndexSpec.of(type).partitions(1).subVectors(4);
        assertThatThrownBy(() -> twin.dataset().createIndex("v", spec, untrained))
            .isInstanceOf(InvalidInputException.class)
            .hasMessageContaining("Creating empty vector indices is not possible");
      }
      twin.maintain(dataset -> dataset.delete("true").dataset());
      assertThatThrownBy(() -> twin.dataset().createIndex("v", VectorIndexSpec.ivfFlat()))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("0 vectors");
      assertThat(twin.dataset().latest().describeIndices()).isEmpty();
    }
  }

  /** New rows without a vector that can be searched are covered, and change no answer. */
  @ParameterizedTest
  @MethodSource("kinds")
  void rowsWithoutVectorsAreCovered(Kind kind) throws Exception {
    try (VectorTwin twin =
        VectorTwin.ofVectors(VectorTwin.random(0, ROWS, random), kind.stable(), 150)) {
      twin.maintain(dataset -> dataset.createIndex("v", kind.spec(Metric.COSINE)));
      Map<Long, double[][]> none = VectorTwin.random(ROWS, 30, random);
      double[] broken = VectorTwin.vector(random);
      broken[2] = Double.NaN;
      double[][] zero = {new double[VectorTwin.DIMENSION]};
      none.replaceAll((k, v) -> k % 3 == 0 ? null : k % 3 == 1 ? zero : new double[][] {broken});
      twin.append(none);
      VectorQuery query =
          VectorQuery.of("v", VectorTwin.vector(random)).k(1_000).probes(PARTITIONS).refine(1);
      double[][] place = {query.numbers().get(0)};
      twin.check(query, place, Metric.COSINE, "append");
      for (OptimizeOptions options : List.of(OptimizeOptions.append(), OptimizeOptions.merge(2))) {
        twin.maintain(dataset -> dataset.optimizeIndices(options));
        assertThat(rowsIndexed(twin)).containsExactly(Map.entry("v_idx", ROWS + 30L));
        Scan scan = twin.dataset().scan().nearest(query);
        assertThat(scan.explain()).doesNotContain("Search all vectors");
        assertThat(scan.count()).isEqualTo(ROWS);
        twin.check(query.refine(2), place, Metric.COSINE, "optimize");
      }
    }
  }

  /** Many vectors of the same row do not keep others from being found. */
  @ParameterizedTest
  @EnumSource
  void longListsLeaveRoomForOtherRows(VectorIndexType type) throws Exception {
    Map<Long, double[][]> rows = new TreeMap<>();
    for (long k = 0; k < 60; k++) {
      double[][] vectors = new double[40][];
      double[] center = VectorTwin.vector(random);
      for (int i = 0; i < vectors.length; i++) {
        vectors[i] = center.clone();
        vectors[i][i % VectorTwin.DIMENSION] += i / 40.0;
      }
      rows.put(k, vectors);
    }
    try (VectorTwin twin = VectorTwin.ofLists(rows, false, 25)) {
      twin.maintain(dataset -> dataset.createIndex("v", new Kind(type, false).spec(Metric.COSINE)));
      for (int i = 0; i < 5; i++) {
        double[][] place = {VectorTwin.vector(random), VectorTwin.vector(random)};
        VectorQuery query = VectorQuery.of("v", place).k(20);
        Scan scan = twin.dataset().scan().nearest(query);
        assertThat(scan.count()).isEqualTo(20);
        assertThat(scan.where("k < 7").prefilter(true).count()).isEqualTo(7);
        assertThat(scan.nearest(query.k(100)).count()).isEqualTo(60);
        twin.check(query.probes(PARTITIONS).refine(3), place, Metric.COSINE, "lists");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void listsOfVectorsTakeCosineOnly(boolean stable) {
    Map<Long, double[][]> rows = VectorTwin.random(0, 50, random);
    try (VectorTwin twin = VectorTwin.ofLists(rows, stable, 25)) {
      for (Metric metric : List.of(Metric.L2, Metric.DOT)) {
        VectorIndexSpec spec = VectorIndexSpec.ivfFlat().metric(metric).partitions(1);
        assertThatThrownBy(() -> twin.dataset().createIndex("v", spec))
            .isInstanceOf(InvalidInputException.class)
            .hasMessageContaining("cosine");
      }
    }
  }
}
