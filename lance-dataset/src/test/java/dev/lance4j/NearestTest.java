package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.scan.Ordering;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.VectorQuery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nearest rows without an index are those of brute force. */
class NearestTest {
  private static final int ROWS = 700;
  private static final int DIMENSION = 8;

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  record Cell(VectorElement element, Metric metric, boolean stable) {}

  static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (VectorElement element : VectorElement.values()) {
      for (Metric metric : Metric.values()) {
        if (element.isBits() == (metric == Metric.HAMMING)) {
          cells.add(new Cell(element, metric, false));
          cells.add(new Cell(element, metric, true));
        }
      }
    }
    return cells;
  }

  private Dataset table(VectorRows rows, boolean stable) {
    return rows.create(folder.resolve("t").toString(), stable, 150, allocator);
  }

  @ParameterizedTest
  @MethodSource("cells")
  void findsWhatBruteForceFinds(Cell cell) throws Exception {
    VectorRows rows = VectorRows.random(cell.element(), ROWS, DIMENSION, 5);
    Dataset dataset = table(rows, cell.stable());
    try {
      compare(dataset, rows, cell, k -> true);
      dataset = replace(dataset, dataset.delete("k % 5 = 2").dataset());
      compare(dataset, rows, cell, k -> true);
      Dataset updated = dataset.update().where("k % 11 = 3").set("k", "k + 0").execute().dataset();
      dataset = replace(dataset, updated);
      compare(dataset, rows, cell, k -> true);
      compare(dataset, rows, cell, k -> k % 3 == 1);
    } finally {
      dataset.close();
    }
  }

  private static Dataset replace(Dataset before, Dataset after) {
    before.close();
    return after;
  }

  private static void compare(Dataset dataset, VectorRows rows, Cell cell, LongPredicate filter)
      throws Exception {
    for (int row : new int[] {0, 3, 21, 4}) {
      double[] vector = rows.vector(row);
      for (int k : new int[] {1, 10, 100, 2 * ROWS}) {
        Scan scan =
            dataset.scan().nearest(rows.query(vector).k(k).metric(cell.metric())).withRowId();
        boolean filtered = !filter.test(0);
        VectorRows.assertFound(
            rows.nearest(dataset, vector, cell.metric(), k, filter),
            VectorRows.read((filtered ? scan.where("k % 3 = 1").prefilter(true) : scan).open()),
            cell.metric());
      }
    }
  }

  @Test
  void appliesTheConditionToTheRowsFoundUnlessAskedBefore() throws Exception {
    VectorRows rows = VectorRows.random(VectorElement.FLOAT32, ROWS, DIMENSION, 6);
    try (Dataset dataset = table(rows, false)) {
      double[] vector = rows.vector(1);
      Scan scan = dataset.scan().nearest(VectorQuery.of("v", vector).k(20)).withRowId();
      List<VectorRows.Found> all = rows.nearest(dataset, vector, Metric.L2, 20, k -> true);
      assertThat(VectorRows.read(scan.where("k % 7 = 1").open()))
          .isEqualTo(all.stream().filter(row -> row.k() % 7 == 1).toList());
      assertThat(VectorRows.read(scan.where("k % 7 = 1").prefilter(true).open()))
          .isEqualTo(rows.nearest(dataset, vector, Metric.L2, 20, k -> k % 7 == 1));
      double middle = all.get(10).distance();
      assertThat(VectorRows.read(scan.where("_distance < " + middle).open()))
          .isEqualTo(all.stream().filter(row -> row.distance() < middle).toList());
      assertThat(scan.where("k < 0").prefilter(true).count()).isZero();
      assertThat(scan.where("k % 7 = 1").prefilter(true).count()).isEqualTo(20);
    }
  }

  @Test
  void limitsOrdersAndComputesTheRowsFound() throws Exception {
    VectorRows rows = VectorRows.random(VectorElement.FLOAT32, ROWS, DIMENSION, 7);
    try (Dataset dataset = table(rows, true)) {
      double[] vector = rows.vector(2);
      Scan scan = dataset.scan().nearest(VectorQuery.of("v", vector).k(30));
      List<VectorRows.Found> all = rows.nearest(dataset, vector, Metric.L2, 30, k -> true);
      List<Long> keys = all.stream().map(VectorRows.Found::k).toList();
      assertThat(Songs.column(scan.limit(5).offset(3).open(), "k")).isEqualTo(keys.subList(3, 8));
      assertThat(Songs.column(scan.limit(50).offset(28).batchSize(1).open(), "k"))
          .isEqualTo(keys.subList(28, 30));
      assertThat(scan.limit(50).offset(28).count()).isEqualTo(2);
      assertThat(Songs.column(scan.orderBy(Ordering.desc("k")).limit(4).open(), "k"))
          .isEqualTo(keys.stream().sorted((a, b) -> Long.compare(b, a)).limit(4).toList());
      assertThat(
              Songs.column(
                  scan.select("twice", "k * 2").select("far", "_distance + k").open(), "far"))
          .hasSameSizeAs(all)
          .first()
          .satisfies(
              far ->
                  assertThat(((Number) far).doubleValue())
                      .isEqualTo(all.get(0).distance() + all.get(0).k()));
    }
  }

  @Test
  void keepsToTheRangeOfDistances() throws Exception {
    VectorRows rows = VectorRows.random(VectorElement.FLOAT64, ROWS, DIMENSION, 8);
    try (Dataset dataset = table(rows, false)) {
      double[] vector = rows.vector(2);
      List<VectorRows.Found> all = rows.nearest(dataset, vector, Metric.L2, ROWS, k -> true);
      double from = all.get(40).distance();
      double to = all.get(200).distance();
      VectorQuery query = VectorQuery.of("v", vector).k(60);
      assertThat(
              VectorRows.read(
                  dataset
                      .scan()
                      .nearest(query.distanceRange((float) from, (float) to))
                      .withRowId()
                      .open()))
          .isEqualTo(
              all.stream()
                  .filter(row -> row.distance() >= from && row.distance() < to)
                  .limit(60)
                  .toList());
    }
  }

  @Test
  void namesItsColumns() throws Exception {
    VectorRows rows = VectorRows.random(VectorElement.FLOAT32, 40, DIMENSION, 9);
    try (Dataset dataset = table(rows, false)) {
      Scan scan = dataset.scan().nearest(VectorQuery.of("v", rows.vector(0)));
      assertThat(names(scan)).containsExactly("k", "v", "_distance");
      assertThat(names(scan.withRowAddress().withRowId()))
          .containsExactly("k", "v", "_distance", "_rowid", "_rowaddr");
      assertThat(names(scan.select("k").withRowId())).containsExactly("k", "_distance", "_rowid");
      assertThat(names(scan.select("_distance", "k"))).containsExactly("_distance", "k");
      assertThat(names(scan.select("d", "_distance * 2"))).containsExactly("d", "_distance");
      assertThat(Songs.count(scan.select("_distance").open())).isEqualTo(10);
    }
  }

  private static List<String> names(Scan scan) {
    return scan.schema().getFields().stream().map(Field::getName).toList();
  }

  @Test
  void answersSeveralQueriesAtOnce() throws Exception {
    VectorRows rows = VectorRows.random(VectorElement.FLOAT32, ROWS, DIMENSION, 10);
    try (Dataset dataset = table(rows, true)) {
      double[][] vectors = {rows.vector(0), rows.vector(5), rows.vector(0)};
      Scan scan = dataset.scan().nearest(VectorQuery.of("v", vectors).k(7)).withRowId();
      List<VectorRows.Found> expected = new ArrayList<>();
      for (double[] vector : vectors) {
        expected.addAll(rows.nearest(dataset, vector, Metric.L2, 7, k -> true));
      }
      assertThat(VectorRows.read(scan.open())).isEqualTo(expected);
      assertThat(Songs.column(scan.open(), "query_index"))
          .isEqualTo(IntStream.range(0, 21).map(i -> i / 7).boxed().toList());
    }
  }

  /** A row is the nearer, the nearer it has a vector to each of the query's. */
  @Test
  void searchesListsOfVectors() throws Exception {
    VectorRows single = VectorRows.random(VectorElement.FLOAT32, 600, 4, 3);
    double[][] query = {single.vector(1), single.vector(2), single.vector(3)};
    try (Dataset dataset =
        ListsOfVectors.create(folder.resolve("t").toString(), single, allocator)) {
      List<Long> expected = ListsOfVectors.nearest(single, query, 12);
      VectorQuery asked = VectorQuery.of("v", query).k(12);
      Scan scan = dataset.scan().nearest(asked);
      assertThat(names(scan)).containsExactly("k", "v", "_distance");
      assertThat(Songs.column(scan.open(), "k")).isEqualTo(expected);
      assertThatThrownBy(() -> dataset.scan().nearest(asked.metric(Metric.L2)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("cosine");
    }
  }

  @Test
  void searchesOnlyTheFragmentsAskedFor() throws Exception {
    VectorRows rows = VectorRows.random(VectorElement.FLOAT32, ROWS, DIMENSION, 11);
    try (Dataset dataset = table(rows, false)) {
      double[] vector = rows.vector(2);
      assertThat(
              VectorRows.read(
                  dataset
                      .scan()
                      .fragments(3, 1, 3)
                      .nearest(VectorQuery.of("v", vector))
                      .withRowId()
                      .open()))
          .isEqualTo(
              rows.nearest(dataset, vector, Metric.L2, 10, k -> k / 150 == 1 || k / 150 == 3));
    }
  }

  @Test
  void refusesQueriesThatDoNotFit() {
    VectorRows rows = VectorRows.random(VectorElement.FLOAT32, 40, DIMENSION, 12);
    try (Dataset dataset = table(rows, false)) {
      Scan scan = dataset.scan();
      float[] good = new float[DIMENSION];
      assertThatThrownBy(() -> scan.nearest(VectorQuery.of("w", good)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'w'");
      assertThatThrownBy(() -> scan.nearest(VectorQuery.of("k", good)))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("'k'");
      assertThatThrownBy(() -> scan.nearest(VectorQuery.of("_rowid", good)))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("'_rowid'");
      assertThatThrownBy(() -> scan.nearest(VectorQuery.of("v", new float[] {1, 2})))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'v'")
          .hasMessageContaining("dim(2)")
          .hasMessageContaining("dim(8)");
      assertThatThrownBy(() -> scan.nearest(VectorQuery.of("v", good).metric(Metric.HAMMING)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("hamming")
          .hasMessageContaining("'v'");
      assertThatThrownBy(() -> VectorQuery.of("v", new float[0]))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("non-zero length");
      assertThatThrownBy(() -> VectorQuery.of("v", new float[] {0, Float.NaN}))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("component 1");
      assertThatThrownBy(() -> VectorQuery.of("v", good).k(0))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("greater than 0");
      assertThatThrownBy(() -> VectorQuery.of("v", good).refine(0))
          .isInstanceOf(InvalidInputException.class);
      assertThatThrownBy(() -> VectorQuery.of("v", good).probes(4, 3))
          .isInstanceOf(InvalidInputException.class);
      assertThatThrownBy(
              () ->
                  scan.nearest(VectorQuery.of("v", good))
                      .where("_distance < 1")
                      .prefilter(true)
                      .open())
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("_distance");
      assertThatThrownBy(() -> scan.nearest(VectorQuery.of("v", good)).includeDeletedRows().open())
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("deleted");
    }
  }
}
