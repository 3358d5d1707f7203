package dev.lance4j.interop.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.Neighbors;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.interop.IndexUpkeep;
import dev.lance4j.interop.IndexUpkeep.Remap;
import dev.lance4j.interop.IndexUpkeep.Update;
import dev.lance4j.interop.IndexUpkeep.Who;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.OracleError;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.VectorQuery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Vector indices of each kind that one library built, and one compacted or brought up to date, give
 * both libraries the nearest rows, and are what both search.
 */
@WithOracle
class CompactedVectorKindsInteropTest {
  private static final int ROWS = 900;
  private static final int MORE = 60;
  private static final int DIMENSION = 16;
  private static final int PARTITIONS = 4;
  private static final int K = 12;
  private static final String INDEX = "v_idx";

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();
  private final float[][] vectors = VectorTables.clustered(ROWS + 2 * MORE, DIMENSION, 9, 21);

  @TempDir private Path folder;
  private String uri;

  @BeforeEach
  void locate() {
    uri = folder.resolve("t.lance").toString();
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  /**
   * @param builder who builds the index
   * @param keeper who compacts
   */
  record Compacting(VectorIndexType type, Remap remap, Who builder, Who keeper) {}

  static List<Compacting> compactings() {
    List<Compacting> all = new ArrayList<>();
    for (VectorIndexType type : VectorIndexType.values()) {
      for (Remap remap : Remap.values()) {
        for (Who builder : builders(type)) {
          for (Who keeper : Who.values()) {
            all.add(new Compacting(type, remap, builder, keeper));
          }
        }
      }
    }
    return all;
  }

  /** The real library's Java interface has no way to ask for graphs of vectors as they are. */
  private static List<Who> builders(VectorIndexType type) {
    return type == VectorIndexType.IVF_HNSW_FLAT ? List.of(Who.WE) : List.of(Who.values());
  }

  private Dataset open() {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  private void create(boolean stable) {
    float[][] first = Arrays.copyOf(vectors, ROWS);
    first[7] = null;
    try (ArrowTable table = VectorTables.table(SampleFields.float32("item"), first, allocator)) {
      Dataset.write(uri)
          .allocator(allocator)
          .stableRowIds(stable)
          .maxRowsPerFile(ROWS / 3)
          .from(table.root())
          .close();
    }
  }

  private void append(int from) {
    float[][] more = Arrays.copyOfRange(vectors, from, from + MORE);
    try (ArrowTable table = VectorTables.table(SampleFields.float32("item"), more, allocator);
        Dataset dataset = open()) {
      VectorSchemaRoot rows = table.root();
      dataset.append(rows).close();
    }
  }

  private void index(VectorIndexType type, Who builder) {
    if (builder == Who.THEY) {
      VectorTables.index(oracle, uri, INDEX, type, Metric.L2, PARTITIONS);
      return;
    }
    VectorIndexSpec spec = VectorIndexSpec.of(type).partitions(PARTITIONS);
    boolean product = type.quantization() == VectorIndexType.Quantization.PRODUCT;
    try (Dataset dataset = open()) {
      dataset.createIndex("v", product ? spec.subVectors(4) : spec).close();
    }
  }

  @ParameterizedTest
  @MethodSource("compactings")
  void bothUseAnIndexOfACompactedTable(Compacting cell) {
    create(cell.remap() == Remap.STABLE);
    index(cell.type(), cell.builder());
    oracle.delete(uri, "k % 7 = 3");

    IndexUpkeep.compact(uri, cell.remap(), cell.keeper(), allocator);

    try (Dataset dataset = open()) {
      assertThat(dataset.fragments()).hasSize(1);
    }
    requireNearestForUs(cell.type());
    if (cell.remap() == Remap.DEFERRED) {
      try (Dataset dataset = open();
          Dataset remapped = dataset.remapIndices()) {
        assertThat(remapped.version()).isEqualTo(dataset.version() + 1);
      }
      requireNearestForUs(cell.type());
    }
    requireNearestForThem(cell.type());
  }

  /**
   * @param builder who builds the index
   * @param keeper who brings it up to date
   */
  record Updating(VectorIndexType type, Update update, boolean stable, Who builder, Who keeper) {}

  static List<Updating> updatings() {
    List<Updating> all = new ArrayList<>();
    for (VectorIndexType type : VectorIndexType.values()) {
      for (Update update : Update.values()) {
        for (boolean stable : new boolean[] {false, true}) {
          all.add(new Updating(type, update, stable, Who.WE, Who.THEY));
          all.add(new Updating(type, update, stable, Who.WE, Who.WE));
          if (builders(type).contains(Who.THEY)) {
            all.add(new Updating(type, update, stable, Who.THEY, Who.WE));
          }
        }
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("updatings")
  void bothUseAnIndexThatWasBroughtUpToDate(Updating cell) {
    create(cell.stable());
    index(cell.type(), cell.builder());
    if (!isTooMuchForThem(cell)) {
      oracle.delete(uri, "k % 7 = 3");
    }
    for (int turn = 0; turn < 2; turn++) {
      append(ROWS + turn * MORE);
      IndexUpkeep.optimize(uri, cell.update(), cell.keeper(), allocator);
      try (Dataset dataset = open()) {
        int segments = dataset.describeIndices().get(0).segments().size();
        assertThat(segments).isEqualTo(cell.update() == Update.APPEND ? 2 + turn : 1);
      }
      requireNearestForUs(cell.type());
      requireNearestForThem(cell.type());
    }
  }

  /**
   * Whether the real library cannot do with deleted rows: it does not come back from searching
   * graphs that have some, and does not train indices anew where row ids are stable.
   */
  private static boolean isTooMuchForThem(Updating cell) {
    boolean trains = cell.update() == Update.RETRAIN && cell.keeper() == Who.THEY;
    return cell.type().hasGraph() || (trains && cell.stable());
  }

  /** What the real library does, so that the difference stays true. */
  @Test
  void onlyWeTrainAnIndexAnewThatKnowsDeletedRowsByStableIds() {
    create(true);
    index(VectorIndexType.IVF_FLAT, Who.WE);
    oracle.delete(uri, "k % 7 = 3");
    append(ROWS);

    assertThatThrownBy(() -> IndexUpkeep.optimize(uri, Update.RETRAIN, Who.THEY, allocator))
        .isInstanceOf(OracleError.class)
        .hasMessageContaining("batch.num_rows() != chunk.len()");
    IndexUpkeep.optimize(uri, Update.RETRAIN, Who.WE, allocator);
    requireNearestForUs(VectorIndexType.IVF_FLAT);
    requireNearestForThem(VectorIndexType.IVF_FLAT);
  }

  private Neighbors truth(float[] key) {
    try (Dataset dataset = open()) {
      VectorQuery query = VectorQuery.of("v", key).k(K).metric(Metric.L2).useIndex(false);
      return VectorTables.neighbors(dataset.scan().nearest(query), allocator);
    }
  }

  private void requireNearestForUs(VectorIndexType type) {
    int found = 0;
    for (int q = 0; q < 5; q++) {
      float[] key = vectors[q * 31 + 1];
      VectorQuery query = VectorQuery.of("v", key).k(K).probes(PARTITIONS).refine(ROWS);
      try (Dataset dataset = open()) {
        Scan scan = dataset.scan().nearest(query);
        assertThat(scan.explain()).contains("Search index " + INDEX).doesNotContain("Search all");
        found += requireNearest(truth(key), VectorTables.neighbors(scan, allocator), type);
      }
    }
    assertThat(found).isGreaterThanOrEqualTo(5 * K * 9 / 10);
  }

  private void requireNearestForThem(VectorIndexType type) {
    int found = 0;
    for (int q = 0; q < 5; q++) {
      float[] key = vectors[q * 31 + 1];
      ObjectNode query = Oracle.args().put("k", K).put("minProbes", PARTITIONS);
      query.put("maxProbes", PARTITIONS).put("refine", ROWS / K);
      ObjectNode args = Oracle.args(uri).put("collectStats", true);
      VectorTables.ask(args, key, query.deepCopy());
      JsonNode stats = oracle.call("scanStats", args);
      assertThat(stats.get("indicesLoaded").asInt()).as("%s", stats).isPositive();
      assertThat(stats.get("partsLoaded").asInt()).as("%s", stats).isPositive();
      Neighbors neighbors = VectorTables.nearest(oracle, uri, key, query, null, allocator);
      found += requireNearest(truth(key), neighbors, type);
    }
    assertThat(found).isGreaterThanOrEqualTo(5 * K * 8 / 10);
  }

  /** How many of the nearest rows were found: all of them, but for graphs. */
  private static int requireNearest(Neighbors expected, Neighbors found, VectorIndexType type) {
    if (!type.hasGraph()) {
      NeighborsAssert.assertSame(expected, found, 1e-5);
    }
    List<Long> ids = Arrays.stream(found.rowIds()).boxed().toList();
    assertThat(ids).doesNotHaveDuplicates().hasSize(expected.size());
    return (int) Arrays.stream(expected.rowIds()).filter(ids::contains).count();
  }
}
