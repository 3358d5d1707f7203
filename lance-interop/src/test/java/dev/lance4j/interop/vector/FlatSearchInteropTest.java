package dev.lance4j.interop.vector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.Neighbors;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.VectorQuery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Without an index both libraries find the same rows. */
@WithOracle
class FlatSearchInteropTest {
  private static final int ROWS = 1_500;
  private static final int DIMENSION = 24;

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  record Cell(Field item, Metric metric, boolean stable) {}

  static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (Metric metric : List.of(Metric.L2, Metric.COSINE, Metric.DOT)) {
      for (boolean stable : new boolean[] {false, true}) {
        cells.add(new Cell(SampleFields.float32("item"), metric, stable));
        cells.add(new Cell(SampleFields.float64("item"), metric, stable));
      }
      cells.add(new Cell(SampleFields.float16("item"), metric, false));
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

  private float[][] create(Field item, boolean stable) {
    float[][] vectors = VectorTables.clustered(ROWS, DIMENSION, 7, 11);
    for (int row = 5; row < ROWS; row += 40) {
      vectors[row] = null;
      vectors[row + 1] = new float[DIMENSION];
      vectors[row + 2][3] = Float.NaN;
      vectors[row + 3][3] = Float.POSITIVE_INFINITY;
    }
    try (ArrowTable table = VectorTables.table(item, vectors, allocator)) {
      Dataset.write(uri())
          .allocator(allocator)
          .stableRowIds(stable)
          .maxRowsPerFile(400)
          .from(table.root())
          .close();
    }
    oracle.delete(uri(), "k % 9 = 2");
    return vectors;
  }

  private Dataset open() {
    return Dataset.open(uri(), OpenOptions.builder().allocator(allocator).build());
  }

  @ParameterizedTest
  @MethodSource("cells")
  void theSameRowsAreFound(Cell cell) {
    float[][] vectors = create(cell.item(), cell.stable());
    double tolerance = cell.item().equals(SampleFields.float16("item")) ? 4e-3 : 1e-5;
    try (Dataset dataset = open()) {
      for (int q = 0; q < 12; q++) {
        float[] key = vectors[q * 40];
        int k = q % 3 == 0 ? ROWS : 1 + 7 * q;
        ObjectNode query = Oracle.args().put("k", k).put("metric", name(cell.metric()));
        Neighbors expected = VectorTables.nearest(oracle, uri(), key, query, null, allocator);
        Scan scan = dataset.scan().nearest(VectorQuery.of("v", key).k(k).metric(cell.metric()));
        NeighborsAssert.assertSame(expected, VectorTables.neighbors(scan, allocator), tolerance);
      }
    }
  }

  private static String name(Metric metric) {
    return switch (metric) {
      case L2 -> "L2";
      case COSINE -> "Cosine";
      case DOT -> "Dot";
      case HAMMING -> "Hamming";
    };
  }

  @Test
  void conditionsComeBeforeOrAfterInBoth() {
    float[][] vectors = create(SampleFields.float32("item"), false);
    try (Dataset dataset = open()) {
      for (boolean first : new boolean[] {false, true}) {
        ObjectNode args = Oracle.args(uri()).put("filter", "k % 4 = 1").put("prefilter", first);
        args.put("withRowId", true).put("withRowAddress", true);
        VectorTables.ask(args, vectors[40], Oracle.args().put("k", 30));
        Scan scan =
            dataset
                .scan()
                .nearest(VectorQuery.of("v", vectors[40]).k(30))
                .where("k % 4 = 1")
                .prefilter(first)
                .withRowId()
                .withRowAddress();
        try (ArrowTable theirs = oracle.fetch("scan", args, allocator);
            ArrowTable ours = Tables.drain(scan.open(), allocator)) {
          assertThat(ours.columnNames()).isEqualTo(theirs.columnNames());
          assertThat(values(ours.root(), "k")).isEqualTo(values(theirs.root(), "k"));
          assertThat(values(ours.root(), "_rowaddr")).isEqualTo(values(theirs.root(), "_rowaddr"));
          assertThat(ours.root().getSchema().findField("_distance"))
              .isEqualTo(theirs.root().getSchema().findField("_distance"));
        }
      }
    }
  }

  private static List<Object> values(VectorSchemaRoot root, String column) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < root.getRowCount(); i++) {
      values.add(root.getVector(column).getObject(i));
    }
    return values;
  }
}
