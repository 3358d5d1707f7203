package dev.lance4j.interop.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.Neighbors;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.index.vector.VectorSearch;
import dev.lance4j.index.vector.VectorSegment;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Session;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Segments that old releases wrote give the neighbours of rows, as well as codes can tell. */
class HistoricalVectorIndicesTest {
  private static final Path TABLES = Path.of(System.getProperty("lance4j.data"), "historical");
  private static final int K = 10;
  private static final int QUERIES = 40;

  private final BufferAllocator allocator = new RootAllocator();

  @BeforeAll
  static void thereAreTables() {
    assumeThat(TABLES).as("the folder of -Dlance4j.data with real tables").isDirectory();
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v0.8.14/corrupt_index",
        "v0.21.0/bad_index_fragment_bitmap",
        "v0.27.1/pq_in_schema"
      })
  void neighborsAreFound(String name) {
    String uri = TABLES.resolve(name).toString();
    Map<Long, float[]> vectors = vectors(uri);
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

  private static double l2(float[] a, float[] b) {
    double sum = 0;
    for (int d = 0; d < a.length; d++) {
      sum += ((double) a[d] - b[d]) * ((double) a[d] - b[d]);
    }
    return sum;
  }

  /** The vectors of a table by their row ids. */
  private Map<Long, float[]> vectors(String uri) {
    Map<Long, float[]> vectors = new HashMap<>();
    try (Dataset dataset = Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
        ArrowTable rows = Tables.drain(dataset.scan().withRowId().open(), allocator)) {
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
