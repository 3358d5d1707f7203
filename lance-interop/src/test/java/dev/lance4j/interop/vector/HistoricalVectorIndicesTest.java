package dev.lance4j.interop.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.index.IndexOptions;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.Neighbors;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.index.vector.VectorSearch;
import dev.lance4j.index.vector.VectorSegment;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.VectorQuery;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Session;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Segments that old releases wrote give the neighbours of rows, as well as codes can tell. */
class HistoricalVectorIndicesTest {
  private static final Path TABLES = Path.of(System.getProperty("lance4j.data"), "historical");
  private static final String LEGACY = "v0.8.14/corrupt_index";
  private static final String OVERLAPPING = "v0.21.0/bad_index_fragment_bitmap";
  private static final int K = 10;
  private static final int QUERIES = 40;

  @TempDir private Path folder;

  private final BufferAllocator allocator = new RootAllocator();
  private final List<Dataset> open = new ArrayList<>();

  @BeforeAll
  static void thereAreTables() {
    assumeThat(TABLES).as("the folder of -Dlance4j.data with real tables").isDirectory();
  }

  @AfterEach
  void nothingIsLeaked() {
    open.forEach(Dataset::close);
    allocator.close();
  }

  static List<String> tables() {
    return List.of(LEGACY, "v0.21.0/bad_index_fragment_bitmap", "v0.27.1/pq_in_schema");
  }

  @ParameterizedTest
  @MethodSource("tables")
  void neighborsAreFound(String name) {
    String uri = TABLES.resolve(name).toString();
    Map<Long, float[]> vectors;
    try (Dataset dataset = Dataset.open(uri, OpenOptions.builder().allocator(allocator).build())) {
      vectors = vectors(dataset);
    }
    TableVersion version = Table.at(ObjectStores.resolve(uri)).latest();
    assertThat(version.indices()).isNotEmpty();
    for (IndexMetadata index : version.indices()) {
      StoreLocation location = version.table().locate(index, version.manifest());
      try (Session session = Session.create();
          VectorSegment segment =
              VectorSegment.open(location.store(), location.path(), session, allocator)) {
        assertThat(segment.type()).isEqualTo(VectorIndexType.IVF_PQ);
        assertThat(segment.metric()).isEqualTo(Metric.L2);
        checkNeighbors(segment, vectors);
      }
    }
  }

  private static void checkNeighbors(VectorSegment segment, Map<Long, float[]> vectors) {
    int all = (int) segment.rowCount();
    VectorSearch everything = VectorSearch.of(all).probes(segment.partitionCount());
    float[] any = vectors.values().iterator().next();
    Neighbors rows = segment.search(QueryVector.of(any), everything, null);
    assertThat(rows.rowIds()).doesNotHaveDuplicates().hasSize(all);
    // Some rows are gone since the segment was built.
    List<Long> indexed =
        Arrays.stream(rows.rowIds()).boxed().filter(vectors::containsKey).sorted().toList();
    assertThat(indexed).hasSizeGreaterThan(2 * K);
    int queries = Math.min(QUERIES, indexed.size());
    RowMask<?> live =
        RowMask.allow(RowAddressSet.of(indexed.stream().mapToLong(Long::longValue).toArray()));
    int found = 0;
    VectorSearch search = VectorSearch.of(K).probes(segment.partitionCount());
    for (int q = 0; q < queries; q++) {
      float[] query = vectors.get(indexed.get(q * (indexed.size() / queries)));
      List<Long> truth =
          indexed.stream()
              .sorted(Comparator.comparingDouble(id -> l2(query, vectors.get(id))))
              .limit(K)
              .toList();
      for (long id : segment.search(QueryVector.of(query), search, live).rowIds()) {
        found += truth.contains(id) ? 1 : 0;
      }
    }
    // Codes that were read wrongly would find hardly any of so many rows.
    assertThat((double) found / (queries * K)).isGreaterThan(0.3);
  }

  /**
   * With all partitions and all candidates measured, an old index finds what is true. Where what it
   * says of its coverage cannot be relied on, a change of the table leaves it out until it is
   * optimised, and an update drops it if nothing it covers is known.
   */
  @ParameterizedTest
  @MethodSource("tables")
  void neighborsAreTrueWhateverHappensToTheTable(String name) throws IOException {
    String uri = copy(TABLES.resolve(name)).toString();
    Dataset dataset = kept(Dataset.open(uri, OpenOptions.builder().allocator(allocator).build()));
    String column = vectorColumn(dataset);
    String indexName = dataset.describeIndices().get(0).name();
    check(dataset, column, "as it was");
    assertIndexed(dataset, column);
    boolean legacy = name.equals(LEGACY);
    if (legacy) {
      assertNothingIsWrittenTo(dataset);
    } else {
      dataset = changed(dataset, column);
    }
    dataset = kept(dataset.delete("_rowid % 7 = 3").dataset());
    check(dataset, column, "delete");
    dataset = kept(dataset.optimizeIndices(OptimizeOptions.append()));
    check(dataset, column, "delta");
    if (!legacy) {
      dataset = kept(dataset.compact(CompactionOptions.defaults()).dataset());
      check(dataset, column, "compaction");
    }
    dataset = kept(dataset.optimizeIndices(OptimizeOptions.merge(10)));
    check(dataset, column, "merge");
    assertThat(dataset.describeIndices()).hasSize(name.equals(OVERLAPPING) ? 0 : 1);
    dataset = kept(dataset.optimizeIndices(OptimizeOptions.retrain()));
    check(dataset, column, "retraining");
    IndexOptions options = IndexOptions.builder().name(indexName).replace(true).build();
    dataset = kept(dataset.createIndex(column, VectorIndexSpec.ivfFlat().partitions(2), options));
    check(dataset, column, "replacement");
    assertIndexed(dataset, column);
    assertThat(dataset.describeIndices()).hasSize(1);
  }

  private Dataset kept(Dataset dataset) {
    open.add(dataset);
    return dataset;
  }

  private void assertNothingIsWrittenTo(Dataset dataset) {
    try (ArrowTable rows = Tables.drain(dataset.scan().limit(60).open(), allocator)) {
      assertThatThrownBy(() -> dataset.append(rows.root()))
          .isInstanceOf(UnsupportedFormatException.class)
          .hasMessageContaining("overwrite");
    }
  }

  private Dataset changed(Dataset dataset, String column) {
    Dataset appended;
    try (ArrowTable rows = Tables.drain(dataset.scan().limit(60).open(), allocator)) {
      appended = kept(dataset.append(rows.root()));
    }
    check(appended, column, "append");
    Dataset updated =
        kept(appended.update().where("_rowid % 11 = 2").set(column, column).execute().dataset());
    check(updated, column, "update");
    return updated;
  }

  private Path copy(Path table) throws IOException {
    Path copy = folder.resolve("copy.lance");
    try (Stream<Path> files = Files.walk(table)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(table.relativize(file).toString()));
      }
    }
    return copy;
  }

  private static String vectorColumn(Dataset dataset) {
    return dataset.schema().getFields().stream()
        .filter(field -> field.getType() instanceof ArrowType.FixedSizeList)
        .map(Field::getName)
        .findFirst()
        .orElseThrow();
  }

  private void check(Dataset dataset, String column, String step) {
    List<float[]> keys = vectors(dataset).values().stream().limit(5).toList();
    for (float[] key : keys) {
      VectorQuery query = VectorQuery.of(column, key).k(K).minProbes(1_000).refine(1_000);
      Neighbors found = VectorTables.neighbors(dataset.scan().nearest(query), allocator);
      Scan exact = dataset.scan().nearest(query.useIndex(false));
      assertThat(found.rowIds()).as(step).doesNotHaveDuplicates();
      NeighborsAssert.assertSame(VectorTables.neighbors(exact, allocator), found, 1e-5);
    }
  }

  private void assertIndexed(Dataset dataset, String column) {
    float[] key = vectors(dataset).values().iterator().next();
    assertThat(dataset.scan().nearest(VectorQuery.of(column, key)).explain())
        .contains("Search index");
  }

  private static double l2(float[] a, float[] b) {
    double sum = 0;
    for (int d = 0; d < a.length; d++) {
      sum += ((double) a[d] - b[d]) * ((double) a[d] - b[d]);
    }
    return sum;
  }

  /** The vectors of a table by their row ids. */
  private Map<Long, float[]> vectors(Dataset dataset) {
    Map<Long, float[]> vectors = new HashMap<>();
    try (ArrowTable rows = Tables.drain(dataset.scan().withRowId().open(), allocator)) {
      UInt8Vector ids = (UInt8Vector) rows.column("_rowid");
      for (FieldVector column : rows.root().getFieldVectors()) {
        if (column instanceof FixedSizeListVector lists
            && lists.getDataVector() instanceof Float4Vector items) {
          int dimension = lists.getListSize();
          for (int r = 0; r < rows.rowCount(); r++) {
            float[] vector = new float[dimension];
            for (int d = 0; d < dimension; d++) {
              vector[d] = items.get(r * dimension + d);
            }
            vectors.put(ids.get(r), vector);
          }
        }
      }
    }
    return vectors;
  }
}
