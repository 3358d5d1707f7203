package dev.lance4j.interop.vector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.format.store.LocalObjectStore;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.Neighbors;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.index.vector.VectorSearch;
import dev.lance4j.index.vector.VectorSegment;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.table.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Segments that the real library builds are searched with its results. */
@WithOracle
class ForeignVectorSegmentsTest {
  private static final int ROWS = 1_100;

  /**
   * Rows whose bits the real library sums up at once and by rounded tables. It sums those of fewer
   * exactly.
   */
  private static final int BLOCK = 32;

  private static final int DIMENSION = 16;
  private static final int PARTITIONS = 5;
  private static final int QUERIES = 12;
  private static final long LEFT_OUT = 5;

  /** Centroids such that by each metric, a vector's partition is that of its largest component. */
  private static final List<Float> AXES = axes();

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  /** An index to build. */
  record Cell(VectorIndexType type, Metric metric, int bits, Field item) {
    @Override
    public String toString() {
      return type + " " + metric + " " + bits + " " + item.getType();
    }

    private boolean isRabit() {
      return type == VectorIndexType.IVF_RQ;
    }

    void describe(ObjectNode vector) {
      vector.put("partitions", PARTITIONS);
      if (isRabit()) {
        AXES.forEach(vector.putArray("centroids")::add);
      }
      vector.put(
          "metric", metric == Metric.COSINE ? "Cosine" : metric == Metric.DOT ? "Dot" : "L2");
      switch (type.quantization()) {
        case FLAT -> {}
        case SCALAR -> vector.putObject("sq");
        case PRODUCT -> vector.putObject("pq").put("subVectors", 4).put("bits", bits);
        case RABIT -> vector.putObject("rq").put("bits", bits);
      }
      if (type.hasGraph()) {
        vector.putObject("hnsw");
      }
    }

    /** With a filter, each row is scored exactly; otherwise some are estimated from 4 bits. */
    String filter() {
      return bits == 4 ? "k <> " + LEFT_OUT : null;
    }

    RowMask<?> mask() {
      return filter() == null ? null : RowMask.block(RowAddressSet.of(LEFT_OUT));
    }

    /** The real library computes in half precision where the vectors have it. */
    double tolerance() {
      return item.equals(SampleFields.float16("item")) ? 2e-3 : 1e-4;
    }
  }

  private static List<Float> axes() {
    List<Float> axes = new ArrayList<>(Collections.nCopies(PARTITIONS * DIMENSION, 0f));
    for (int axis = 0; axis < PARTITIONS; axis++) {
      axes.set(axis * DIMENSION + axis, 1f);
    }
    return axes;
  }

  static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    Field single = SampleFields.float32("item");
    for (Metric metric : List.of(Metric.L2, Metric.COSINE, Metric.DOT)) {
      cells.add(new Cell(VectorIndexType.IVF_FLAT, metric, 0, single));
      cells.add(new Cell(VectorIndexType.IVF_PQ, metric, 8, single));
      cells.add(new Cell(VectorIndexType.IVF_PQ, metric, 4, single));
      cells.add(new Cell(VectorIndexType.IVF_RQ, metric, 1, single));
      cells.add(new Cell(VectorIndexType.IVF_HNSW_PQ, metric, 8, single));
      if (metric != Metric.DOT) {
        cells.add(new Cell(VectorIndexType.IVF_SQ, metric, 0, single));
        cells.add(new Cell(VectorIndexType.IVF_HNSW_SQ, metric, 0, single));
      }
    }
    for (Field item : List.of(SampleFields.float16("item"), SampleFields.float64("item"))) {
      cells.add(new Cell(VectorIndexType.IVF_FLAT, Metric.L2, 0, item));
      cells.add(new Cell(VectorIndexType.IVF_PQ, Metric.L2, 8, item));
      cells.add(new Cell(VectorIndexType.IVF_SQ, Metric.L2, 0, item));
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
    float[][] vectors = VectorTables.clustered(ROWS, DIMENSION, 9, 3);
    if (cell.isRabit()) {
      vectors = lessThanABlockPerAxis(vectors);
    }
    try (ArrowTable table = VectorTables.table(cell.item(), vectors, allocator)) {
      oracle.create(uri, "2.1", table);
    }
    ObjectNode args = Oracle.args(uri).put("type", "VECTOR");
    args.putArray("columns").add(VectorTables.COLUMN);
    cell.describe(args.putObject("vector"));
    JsonNode created = oracle.call("createIndex", args);
    String directory = uri + "/_indices/" + created.get("uuid").asText();
    try (Session session = Session.create();
        VectorSegment segment =
            VectorSegment.open(new LocalObjectStore(), directory, session, allocator)) {
      assertThat(segment.type()).isEqualTo(cell.type());
      assertThat(segment.metric()).isEqualTo(cell.metric());
      assertThat(segment.rowCount()).isEqualTo(vectors.length);
      for (int q = 0; q < QUERIES; q++) {
        compare(uri, segment, vectors[q * 2], 1 + q % PARTITIONS, cell);
      }
    }
  }

  /** So many of some vectors that no partition by {@link #AXES} has a block of them. */
  private static float[][] lessThanABlockPerAxis(float[][] vectors) {
    int[] sizes = new int[PARTITIONS];
    List<float[]> chosen = new ArrayList<>();
    for (float[] vector : vectors) {
      int nearest = 0;
      for (int axis = 1; axis < PARTITIONS; axis++) {
        nearest = vector[axis] > vector[nearest] ? axis : nearest;
      }
      if (++sizes[nearest] < BLOCK) {
        chosen.add(vector);
      }
    }
    return chosen.toArray(new float[0][]);
  }

  private void compare(String uri, VectorSegment segment, float[] key, int probes, Cell cell) {
    int k = 10;
    ObjectNode query = Oracle.args().put("k", k).put("minProbes", probes).put("maxProbes", probes);
    VectorSearch search = VectorSearch.of(k).probes(probes);
    if (cell.type().hasGraph()) {
      query.put("ef", ROWS);
      search = search.ef(ROWS);
    }
    Neighbors expected = VectorTables.nearest(oracle, uri, key, query, cell.filter(), allocator);
    Neighbors actual = segment.search(QueryVector.of(key), search, cell.mask());
    NeighborsAssert.assertSame(shifted(expected, cell), actual, cell.tolerance());
  }

  /** The real library's cosine distances from bits are too small by 1. */
  private static Neighbors shifted(Neighbors found, Cell cell) {
    if (cell.type() != VectorIndexType.IVF_RQ || cell.metric() != Metric.COSINE) {
      return found;
    }
    float[] distances = found.distances().clone();
    for (int i = 0; i < distances.length; i++) {
      distances[i] += 1;
    }
    return new Neighbors(found.rowIds(), distances);
  }
}
