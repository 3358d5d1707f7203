package dev.lance4j.interop.vector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.index.vector.BuiltSegment;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.Neighbors;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.VectorIndexDetails;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.index.vector.VectorSearch;
import dev.lance4j.index.vector.VectorSegment;
import dev.lance4j.index.vector.VectorSegmentBuilder;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.rowid.internal.RoaringBytes;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Session;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.roaringbitmap.RoaringBitmap;

/** Segments that we build are searched by the real library with our results. */
@WithOracle
class OurVectorSegmentsTest {
  private static final int DIMENSION = 16;
  private static final int QUERIES = 8;
  private static final long LEFT_OUT = 5;

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  /** An index to build. */
  record Cell(VectorIndexSpec spec, int rows, Field item, String fileVersion) {
    @Override
    public String toString() {
      return spec.type()
          + " "
          + spec.metric()
          + " "
          + spec.bits()
          + " "
          + rows
          + " "
          + item.getType();
    }

    boolean isRabit() {
      return spec.type() == VectorIndexType.IVF_RQ;
    }

    boolean isFiltered() {
      return spec.bits() == 4;
    }
  }

  static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    Field single = SampleFields.float32("item");
    for (Metric metric : List.of(Metric.L2, Metric.COSINE, Metric.DOT)) {
      for (VectorIndexType type : VectorIndexType.values()) {
        boolean signedCodes = type.quantization() == VectorIndexType.Quantization.SCALAR;
        if (signedCodes && metric == Metric.DOT) {
          continue;
        }
        VectorIndexSpec spec = VectorIndexSpec.of(type).metric(metric).partitions(4);
        boolean product = type.quantization() == VectorIndexType.Quantization.PRODUCT;
        spec = product ? spec.subVectors(4) : spec;
        int rows = type == VectorIndexType.IVF_RQ ? 31 : 1_003;
        cells.add(new Cell(spec, rows, single, "2.1"));
        if (type == VectorIndexType.IVF_PQ) {
          cells.add(new Cell(spec.bits(4), 333, single, "2.1"));
        }
      }
    }
    cells.add(new Cell(VectorIndexSpec.ivfFlat().partitions(1), 7, single, "2.0"));
    cells.add(
        new Cell(
            VectorIndexSpec.ivfPq().partitions(3).subVectors(2),
            700,
            SampleFields.float64("item"),
            "2.0"));
    cells.add(
        new Cell(VectorIndexSpec.ivfSq().partitions(3), 700, SampleFields.float16("item"), "2.1"));
    cells.add(
        new Cell(
            VectorIndexSpec.ivfFlat().partitions(3), 700, SampleFields.float64("item"), "2.1"));
    // The third centroid is far from all rows: its partition is empty.
    float[] centroids = new float[3 * DIMENSION];
    for (int d = 0; d < DIMENSION; d++) {
      centroids[d] = 2;
      centroids[DIMENSION + d] = -2;
      centroids[2 * DIMENSION + d] = 1e6f;
    }
    for (VectorIndexType type : VectorIndexType.values()) {
      VectorIndexSpec spec = VectorIndexSpec.of(type).centroids(centroids);
      boolean product = type.quantization() == VectorIndexType.Quantization.PRODUCT;
      spec = product ? spec.subVectors(8) : spec;
      int rows = type == VectorIndexType.IVF_RQ ? 25 : 600;
      cells.add(new Cell(spec, rows, single, "2.1"));
    }
    return cells;
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @ParameterizedTest
  @MethodSource("cells")
  void theSameRowsAreFound(Cell cell) {
    String uri = folder.resolve("t.lance").toString();
    float[][] vectors = VectorTables.clustered(cell.rows(), DIMENSION, 9, 3);
    float[][] keys = vectors.clone();
    vectors[cell.rows() - 1] = null;
    vectors[cell.rows() - 2] = new float[DIMENSION];
    vectors[cell.rows() - 2][3] = Float.NaN;
    try (ArrowTable table = VectorTables.table(cell.item(), vectors, allocator)) {
      oracle.create(uri, cell.fileVersion(), table);
    }
    TableVersion version = Table.at(ObjectStores.resolve(uri)).latest();
    UUID uuid = UUID.randomUUID();
    String directory = version.table().indexPath(uuid);
    TableVectors source = new TableVectors(version, allocator);
    BuiltSegment built =
        VectorSegmentBuilder.of(cell.spec())
            .build(
                source,
                version.table().store(),
                directory,
                FileVersion.parse(cell.fileVersion()),
                allocator);
    assertThat(built.rows()).isEqualTo(cell.rows() - 2);
    commit(version, uuid, built, cell.spec());
    try (Session session = Session.create();
        VectorSegment segment =
            VectorSegment.open(version.table().store(), directory, session, allocator)) {
      assertThat(segment.rowCount()).isEqualTo(built.rows());
      for (int q = 0; q < QUERIES && q < cell.rows() - 2; q++) {
        compare(uri, segment, keys[q], 1 + q % segment.partitionCount(), cell);
      }
    }
    checkDescription(uri, cell, built);
  }

  private static void commit(
      TableVersion version, UUID uuid, BuiltSegment built, VectorIndexSpec spec) {
    int fieldId =
        version.manifest().schema().project(List.of(VectorTables.COLUMN)).fields().get(0).id();
    IndexMetadata metadata =
        new IndexMetadata(
            uuid,
            List.of(fieldId),
            "v_idx",
            version.version(),
            RoaringBytes.toBytes(RoaringBitmap.bitmapOf(0)),
            Optional.of(VectorIndexDetails.of(spec, DIMENSION)),
            OptionalInt.of(VectorIndexDetails.formatVersion(spec.type())),
            OptionalLong.of(1),
            OptionalInt.empty(),
            built.files(),
            UnknownFieldSet.getDefaultInstance());
    new Committer(version.table(), CommitOptions.DEFAULT)
        .commit(
            version,
            Transaction.of(
                version.version(), new Operation.CreateIndex(List.of(metadata), List.of())));
  }

  private void compare(String uri, VectorSegment segment, float[] key, int probes, Cell cell) {
    int k = Math.min(10, cell.rows() - 2);
    ObjectNode query = Oracle.args().put("k", k).put("minProbes", probes).put("maxProbes", probes);
    VectorSearch search = VectorSearch.of(k).probes(probes);
    if (cell.spec().type().hasGraph()) {
      query.put("ef", cell.rows());
      search = search.ef(cell.rows());
    }
    String filter = cell.isFiltered() ? "k <> " + LEFT_OUT : null;
    RowMask<?> mask = cell.isFiltered() ? RowMask.block(RowAddressSet.of(LEFT_OUT)) : null;
    Neighbors theirs = VectorTables.nearest(oracle, uri, key, query, filter, allocator);
    Neighbors ours = segment.search(QueryVector.of(key), search, mask);
    boolean half = cell.item().equals(SampleFields.float16("item"));
    NeighborsAssert.assertSame(shifted(theirs, cell), ours, half ? 2e-3 : 1e-4);
  }

  /** The real library's cosine distances from bits are too small by 1. */
  private static Neighbors shifted(Neighbors found, Cell cell) {
    if (!cell.isRabit() || cell.spec().metric() != Metric.COSINE) {
      return found;
    }
    float[] distances = found.distances().clone();
    for (int i = 0; i < distances.length; i++) {
      distances[i] += 1;
    }
    return new Neighbors(found.rowIds(), distances);
  }

  private void checkDescription(String uri, Cell cell, BuiltSegment built) {
    JsonNode index = oracle.call("describeIndices", Oracle.args(uri)).get(0);
    assertThat(index.get("type").asText()).isEqualTo(cell.spec().type().name());
    JsonNode statistics = oracle.call("indexStatistics", Oracle.args(uri).put("name", "v_idx"));
    JsonNode segment = statistics.get("indices").get(0);
    assertThat(segment.get("index_type").asText()).isEqualTo(cell.spec().type().name());
    assertThat(segment.get("num_partitions").asInt()).isEqualTo(built.partitions());
    assertThat(segment.get("metric_type").asText()).isEqualTo(cell.spec().metric().toString());
    int rows = 0;
    for (JsonNode partition : segment.get("partitions")) {
      rows += partition.get("size").asInt();
    }
    assertThat(rows).isEqualTo((int) built.rows());
  }
}
