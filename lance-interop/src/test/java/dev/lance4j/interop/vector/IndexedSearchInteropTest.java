package dev.lance4j.interop.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.Neighbors;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.VectorQuery;
import dev.lance4j.write.WhenMatched;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans through indices that the real library built. */
@WithOracle
class IndexedSearchInteropTest {
  private static final int ROWS = 1_200;
  private static final int DIMENSION = 16;
  private static final int PARTITIONS = 5;
  private static final String DELETED = "k % 7 = 3";

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  record Cell(VectorIndexType type, Metric metric, boolean stable) {}

  static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (VectorIndexType type :
        List.of(
            VectorIndexType.IVF_FLAT,
            VectorIndexType.IVF_SQ,
            VectorIndexType.IVF_PQ,
            VectorIndexType.IVF_RQ,
            VectorIndexType.IVF_HNSW_SQ,
            VectorIndexType.IVF_HNSW_PQ)) {
      boolean scalar = type.quantization() == VectorIndexType.Quantization.SCALAR;
      for (Metric metric : List.of(Metric.L2, Metric.COSINE, Metric.DOT)) {
        // The real library ranks wrongly by dot products of scalar codes.
        if (!scalar || metric != Metric.DOT) {
          cells.add(new Cell(type, metric, false));
          cells.add(new Cell(type, metric, true));
        }
      }
    }
    return cells;
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private String uri() {
    return folder.resolve("t.lance").toString();
  }

  private void create(float[][] vectors, boolean stable) {
    try (ArrowTable table = VectorTables.table(SampleFields.float32("item"), vectors, allocator)) {
      Dataset.write(uri())
          .allocator(allocator)
          .stableRowIds(stable)
          .maxRowsPerFile(500)
          .from(table.root())
          .close();
    }
  }

  private void append(float[][] vectors) {
    try (ArrowTable table = VectorTables.table(SampleFields.float32("item"), vectors, allocator);
        Dataset dataset = open()) {
      VectorSchemaRoot root = table.root();
      dataset.append(root).close();
    }
  }

  private Dataset open() {
    return Dataset.open(uri(), OpenOptions.builder().allocator(allocator).build());
  }

  private void index(VectorIndexType type, Metric metric) {
    index("by_v", type, metric);
  }

  private void index(String name, VectorIndexType type, Metric metric) {
    VectorTables.index(oracle, uri(), name, type, metric, PARTITIONS);
  }

  private Neighbors theirs(Cell cell, float[] key, int k, int probes) {
    ObjectNode query = Oracle.args().put("k", k).put("minProbes", probes).put("maxProbes", probes);
    if (cell.type().hasGraph()) {
      query.put("ef", ROWS);
    }
    return VectorTables.nearest(oracle, uri(), key, query, null, allocator);
  }

  private static VectorQuery query(Cell cell, float[] key, int k, int probes) {
    VectorQuery query = VectorQuery.of("v", key).k(k).probes(probes);
    return cell.type().hasGraph() ? query.ef(ROWS) : query;
  }

  @ParameterizedTest
  @MethodSource("cells")
  void theSameRowsAreFoundAndThenTheTrueOnes(Cell cell) {
    float[][] vectors = VectorTables.clustered(ROWS, DIMENSION, 9, 3);
    create(vectors, cell.stable());
    index(cell.type(), cell.metric());
    // The real library does not come back from searching graphs where rows are deleted.
    if (!cell.type().hasGraph()) {
      oracle.delete(uri(), DELETED);
    }
    // It rounds distances from bits once more, where a partition has 32 rows.
    if (cell.type() != VectorIndexType.IVF_RQ) {
      compare(cell, vectors);
    }
    oracle.delete(uri(), DELETED + " OR k % 10 = 7");
    append(VectorTables.clustered(90, DIMENSION, 9, 4));
    try (Dataset dataset = open()) {
      assertTrue(dataset, cell, vectors);
    }
  }

  private void compare(Cell cell, float[][] vectors) {
    try (Dataset dataset = open()) {
      for (int q = 0; q < 6; q++) {
        float[] key = vectors[q * 11];
        Scan scan = dataset.scan().nearest(query(cell, key, 10, 1 + q % PARTITIONS));
        assertThat(scan.explain()).contains("by_v", cell.type().toString());
        Neighbors expected = theirs(cell, key, 10, 1 + q % PARTITIONS);
        NeighborsAssert.assertSame(expected, VectorTables.neighbors(scan, allocator), 1e-4);
      }
    }
  }

  /**
   * With all partitions, many candidates and what is not indexed, rows are those of brute force.
   */
  private void assertTrue(Dataset dataset, Cell cell, float[][] vectors) {
    int expected = 0;
    int found = 0;
    for (int q = 0; q < 6; q++) {
      float[] key = vectors[q * 13 + 1];
      VectorQuery query =
          VectorQuery.of("v", key).k(12).probes(PARTITIONS).refine(1_000).metric(cell.metric());
      for (String filter : new String[] {null, "k % 5 = 1", "k < 4"}) {
        Scan scan = dataset.scan().nearest(query);
        Scan exact = dataset.scan().nearest(query.useIndex(false));
        if (filter != null) {
          scan = scan.where(filter).prefilter(true);
          exact = exact.where(filter).prefilter(true);
        }
        assertThat(scan.explain()).contains("by_v", "Search all vectors");
        assertThat(exact.explain()).doesNotContain("by_v");
        if (cell.type().hasGraph()) {
          List<Long> near = ids(scan);
          List<Long> nearest = ids(exact);
          assertThat(near).hasSameSizeAs(nearest).doesNotHaveDuplicates();
          expected += nearest.size();
          found += (int) nearest.stream().filter(near::contains).count();
        } else {
          NeighborsAssert.assertSame(
              VectorTables.neighbors(exact, allocator),
              VectorTables.neighbors(scan, allocator),
              1e-6);
        }
      }
    }
    // Not every row can be reached through a graph, which the real library builds at random: a
    // single search may miss many, but not all searches together.
    assertThat(found).isGreaterThanOrEqualTo(expected / 2);
  }

  /** An index of dot products does not answer for other metrics (reported fault M75). */
  @Test
  void indicesOfAnotherMetricAreNotUsed() {
    float[][] vectors = VectorTables.clustered(1_024, 8, 1, 5);
    for (float[] vector : vectors) {
      for (int i = 0; i < vector.length; i++) {
        vector[i] = 15 + vector[i];
      }
    }
    create(vectors, false);
    index(VectorIndexType.IVF_FLAT, Metric.DOT);
    try (Dataset dataset = open()) {
      VectorQuery query = VectorQuery.of("v", vectors[17]).k(5).probes(PARTITIONS);
      for (Metric metric : List.of(Metric.L2, Metric.COSINE)) {
        Scan scan = dataset.scan().nearest(query.metric(metric));
        assertThat(scan.explain()).contains("by_v is not used").contains(metric.toString());
        assertSame(dataset, query.metric(metric).useIndex(false), scan);
      }
      Scan omitted = dataset.scan().nearest(query);
      assertThat(omitted.explain()).contains("Search index by_v").contains("dot");
      assertSame(dataset, query.metric(Metric.DOT).useIndex(false), omitted);
    }
  }

  private void assertSame(Dataset dataset, VectorQuery exact, Scan scan) {
    NeighborsAssert.assertSame(
        VectorTables.neighbors(dataset.scan().nearest(exact), allocator),
        VectorTables.neighbors(scan, allocator),
        1e-5);
  }

  @Test
  void theFirstIndexOfTheMetricIsUsed() {
    float[][] vectors = VectorTables.clustered(ROWS, DIMENSION, 4, 15);
    create(vectors, false);
    index("first", VectorIndexType.IVF_SQ, Metric.L2);
    index("another", VectorIndexType.IVF_FLAT, Metric.COSINE);
    index("last", VectorIndexType.IVF_FLAT, Metric.L2);
    try (Dataset dataset = open()) {
      VectorQuery query = VectorQuery.of("v", vectors[3]).k(5).probes(PARTITIONS);
      assertThat(dataset.scan().nearest(query).explain()).contains("Search index first (IVF_SQ");
      assertThat(dataset.indexStatistics("first")).contains("IVF_SQ", "num_partitions");
      Scan byCosine = dataset.scan().nearest(query.metric(Metric.COSINE));
      assertThat(byCosine.explain()).contains("Search index another", "first is not used");
      assertSame(dataset, query.metric(Metric.COSINE).useIndex(false), byCosine);
    }
  }

  /** Conditions before the search do not leave too few rows (reported fault M73). */
  @ParameterizedTest
  @MethodSource("filtered")
  void conditionsAroundK(VectorIndexType type) {
    float[][] vectors = VectorTables.clustered(2_000, DIMENSION, 5, 6);
    create(vectors, false);
    index(type, Metric.L2);
    try (Dataset dataset = open()) {
      VectorQuery query = VectorQuery.of("v", vectors[4]).k(20).minProbes(PARTITIONS);
      Scan first = dataset.scan().nearest(query).where("k % 60 = 7").prefilter(true);
      Scan exact =
          dataset.scan().nearest(query.useIndex(false)).where("k % 60 = 7").prefilter(true);
      Neighbors found = VectorTables.neighbors(first, allocator);
      assertThat(found.size()).isEqualTo(20);
      if (type == VectorIndexType.IVF_FLAT) {
        NeighborsAssert.assertSame(VectorTables.neighbors(exact, allocator), found, 1e-5);
      }
      assertThat(first.limit(3).count()).isEqualTo(3);
      Scan all = dataset.scan().nearest(query);
      Scan after = all.where("k % 60 = 7");
      assertThat(ids(after)).isSubsetOf(ids(all));
      assertThat(dataset.scan().nearest(query.probes(1)).where("k < 6").prefilter(true).count())
          .isLessThanOrEqualTo(6);
      assertThat(
              dataset
                  .scan()
                  .nearest(VectorQuery.of("v", vectors[4]).k(10))
                  .where("k < 6")
                  .prefilter(true)
                  .count())
          .isEqualTo(6);
    }
  }

  static List<VectorIndexType> filtered() {
    return List.of(VectorIndexType.IVF_FLAT, VectorIndexType.IVF_HNSW_SQ);
  }

  private List<Long> ids(Scan scan) {
    return Arrays.stream(VectorTables.neighbors(scan, allocator).rowIds()).boxed().toList();
  }

  /** Vectors that cannot be told apart, have no direction, or are missing (reported fault M74). */
  @ParameterizedTest
  @MethodSource("degenerate")
  void degenerateVectors(Metric metric) {
    float[][] vectors = VectorTables.clustered(500, DIMENSION, 3, 8);
    for (int row = 0; row < 500; row += 5) {
      vectors[row] = new float[DIMENSION];
      vectors[row + 1] = new float[DIMENSION];
    }
    create(vectors, false);
    index(VectorIndexType.IVF_FLAT, metric);
    try (Dataset dataset = open()) {
      VectorQuery all = VectorQuery.of("v", vectors[2]).k(600).probes(PARTITIONS);
      assertThat(dataset.scan().nearest(all).count()).isEqualTo(metric == Metric.L2 ? 500 : 300);
      assertThat(dataset.scan().nearest(all.metric(metric).useIndex(false)).count())
          .isEqualTo(metric == Metric.L2 ? 500 : 300);
      for (int row = 2; row < 500; row += 50) {
        Scan nearest =
            dataset.scan().nearest(VectorQuery.of("v", vectors[row]).k(1).probes(PARTITIONS));
        assertThat(ids(nearest)).containsExactly((long) row);
      }
    }
  }

  static List<Metric> degenerate() {
    return List.of(Metric.L2, Metric.COSINE);
  }

  /**
   * Rows that were changed keep their stable ids. The real library takes what the index knew of
   * them for what they are.
   */
  @Test
  void changedRowsAreFoundWhereTheyAreNow() {
    float[][] vectors = VectorTables.clustered(ROWS, DIMENSION, 4, 9);
    create(vectors, true);
    index(VectorIndexType.IVF_FLAT, Metric.L2);
    float[] near = vectors[50].clone();
    try (Dataset dataset = open()) {
      moveAway(dataset);
    }
    try (Dataset dataset = open()) {
      VectorQuery query = VectorQuery.of("v", near).k(8).probes(PARTITIONS);
      Scan scan = dataset.scan().nearest(query);
      List<Long> found = ids(scan);
      assertThat(found).doesNotHaveDuplicates().doesNotContain(50L, 51L);
      assertSame(dataset, query.useIndex(false), scan);
      Neighbors wrong =
          VectorTables.nearest(
              oracle,
              uri(),
              near,
              Oracle.args().put("k", 8).put("minProbes", PARTITIONS),
              null,
              allocator);
      assertThat(Arrays.stream(wrong.rowIds()).boxed().toList()).isNotEqualTo(found);
    }
  }

  private void moveAway(Dataset dataset) {
    float[][] moved = new float[2][DIMENSION];
    Arrays.fill(moved[0], 1000);
    Arrays.fill(moved[1], 1001);
    try (ArrowTable table = VectorTables.table(SampleFields.float32("item"), moved, allocator)) {
      BigIntVector keys = (BigIntVector) table.column("k");
      keys.set(0, 50);
      keys.set(1, 51);
      dataset
          .mergeInsert("k")
          .whenMatched(WhenMatched.updateAll())
          .execute(table.root())
          .dataset()
          .close();
    }
  }

  @Test
  void fastSearchesLeaveNewRowsOut() {
    float[][] vectors = VectorTables.clustered(ROWS, DIMENSION, 4, 10);
    create(vectors, false);
    index(VectorIndexType.IVF_PQ, Metric.L2);
    append(new float[][] {vectors[7]});
    try (Dataset dataset = open()) {
      VectorQuery query = VectorQuery.of("v", vectors[7]).k(2).probes(PARTITIONS).refine(20);
      Scan scan = dataset.scan().nearest(query);
      long appended = 3L << 32;
      assertThat(ids(scan)).containsExactly(7L, appended);
      assertThat(ids(scan.fastSearch(true))).contains(7L).doesNotContain(appended);
      assertThat(scan.fastSearch(true).explain()).doesNotContain("Search all vectors");
      assertThat(ids(scan.fragments(3))).containsExactly(appended);
      assertThat(scan.fragments(3).fastSearch(true).count()).isZero();
    }
  }

  /** The real library fails when it reads columns of what it found so. */
  @Test
  void rowsAreFoundThatACompactionMovedUnknownToTheIndex() {
    float[][] vectors = VectorTables.clustered(ROWS, DIMENSION, 4, 13);
    create(vectors, false);
    index(VectorIndexType.IVF_SQ, Metric.L2);
    oracle.delete(uri(), "k % 4 = 1 AND k < 900");
    CompactionOptions deferred =
        CompactionOptions.builder().deferIndexRemap(true).targetRowsPerFragment(10_000).build();
    try (Dataset dataset = open()) {
      dataset.compact(deferred).dataset().close();
    }
    oracle.delete(uri(), "k % 10 = 3");
    try (Dataset dataset = open()) {
      for (int q = 0; q < 8; q++) {
        VectorQuery query =
            VectorQuery.of("v", vectors[3 * q]).k(15).probes(PARTITIONS).refine(1_000);
        Scan scan = dataset.scan().nearest(query);
        Scan exact = dataset.scan().nearest(query.useIndex(false));
        assertThat(scan.explain()).contains("Search index by_v").doesNotContain("Search all");
        NeighborsAssert.assertSame(
            VectorTables.neighbors(exact, allocator),
            VectorTables.neighbors(scan, allocator),
            1e-6);
        NeighborsAssert.assertSame(
            VectorTables.neighbors(exact.where("k % 3 = 0").prefilter(true), allocator),
            VectorTables.neighbors(scan.where("k % 3 = 0").prefilter(true), allocator),
            1e-6);
      }
    }
  }

  @Test
  void listsOfVectorsAreFoundThroughTheirVectors() {
    float[][] vectors = VectorTables.clustered(ROWS, DIMENSION, 9, 14);
    try (ArrowTable table = VectorTables.lists(vectors, 3, allocator)) {
      Dataset.write(uri()).allocator(allocator).maxRowsPerFile(150).from(table.root()).close();
    }
    index(VectorIndexType.IVF_PQ, Metric.COSINE);
    oracle.delete(uri(), "k % 7 = 3");
    try (Dataset dataset = open()) {
      for (int q = 0; q < 5; q++) {
        float[][] query = {vectors[q * 9], vectors[q * 9 + 1], vectors[q * 5 + 2]};
        VectorQuery asked = VectorQuery.of("v", query).k(9).probes(PARTITIONS).refine(1_000);
        Scan scan = dataset.scan().nearest(asked);
        assertThat(scan.explain()).contains("Search index by_v");
        assertSame(dataset, asked.useIndex(false), scan);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auxiliary.idx", "index.idx"})
  void damagedIndicesAreNamedAndCanBePassedOver(String file) throws IOException {
    float[][] vectors = VectorTables.clustered(ROWS, DIMENSION, 4, 12);
    create(vectors, false);
    index(VectorIndexType.IVF_FLAT, Metric.COSINE);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.filter(path -> path.endsWith(file)).toList()) {
        try (FileChannel channel = FileChannel.open(each, StandardOpenOption.WRITE)) {
          channel.truncate(channel.size() - 20);
        }
      }
    }
    try (Dataset dataset = open()) {
      VectorQuery query = VectorQuery.of("v", vectors[3]).k(5).metric(Metric.COSINE);
      Scan scan = dataset.scan().nearest(query);
      assertThatThrownBy(scan::count)
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("'by_v'")
          .hasMessageContaining("replace");
      assertSame(dataset, query.useIndex(false), scan.skipDamagedIndices(true));
    }
  }
}
