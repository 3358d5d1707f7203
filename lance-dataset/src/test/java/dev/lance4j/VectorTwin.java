package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.VectorQuery;
import dev.lance4j.write.MergeOptions;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A table of keys {@code k}, numbers {@code n} and vectors {@code v} that is changed step by step,
 * and what it must hold by now. In the twin each row has a list of vectors, which is of one unless
 * the table's column is one of lists; a row without any has none.
 */
final class VectorTwin implements AutoCloseable {
  static final int DIMENSION = 8;

  private static final String PATH = "vectors";
  private static final double TOLERANCE = 1e-5;

  private final boolean isMulti;
  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store = new MemoryObjectStore();
  private final Map<Long, double[][]> rows = new TreeMap<>();
  private Dataset dataset;

  private VectorTwin(boolean isMulti) {
    this.isMulti = isMulti;
  }

  /** A table whose rows have a vector each. */
  static VectorTwin ofVectors(Map<Long, double[][]> rows, boolean stable, int rowsPerFile) {
    return new VectorTwin(false).create(rows, stable, rowsPerFile);
  }

  /** A table whose rows have lists of vectors. */
  static VectorTwin ofLists(Map<Long, double[][]> rows, boolean stable, int rowsPerFile) {
    return new VectorTwin(true).create(rows, stable, rowsPerFile);
  }

  private VectorTwin create(Map<Long, double[][]> first, boolean stable, int rowsPerFile) {
    try (VectorSchemaRoot root = batch(first)) {
      dataset =
          Dataset.write(PATH)
              .store(store)
              .allocator(allocator)
              .stableRowIds(stable)
              .maxRowsPerFile(rowsPerFile)
              .from(root);
    }
    rows.putAll(first);
    return this;
  }

  /**
   * Some vectors, many of which are equally far from each other; {@code count} rows of one each.
   */
  static Map<Long, double[][]> random(long from, int count, SplittableRandom random) {
    Map<Long, double[][]> rows = new TreeMap<>();
    for (long k = from; k < from + count; k++) {
      rows.put(k, new double[][] {vector(random)});
    }
    return rows;
  }

  /** Components that sums of squares of have no rounding. */
  static double[] vector(SplittableRandom random) {
    double[] vector = new double[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      vector[i] = random.nextInt(-8, 9) / 4.0;
    }
    return vector;
  }

  private Schema schema() {
    Field vector = SampleFields.fixedSizeList("v", DIMENSION, SampleFields.float32("item"));
    return new Schema(
        List.of(
            SampleFields.int64("k"),
            SampleFields.int64("n"),
            isMulti ? SampleFields.list("v", vector) : vector));
  }

  private VectorSchemaRoot batch(Map<Long, double[][]> source) {
    VectorSchemaRoot root = VectorSchemaRoot.create(schema(), allocator);
    root.allocateNew();
    int row = 0;
    int place = 0;
    for (Map.Entry<Long, double[][]> each : source.entrySet()) {
      ((BigIntVector) root.getVector("k")).setSafe(row, each.getKey());
      ((BigIntVector) root.getVector("n")).setSafe(row, 0);
      double[][] vectors = each.getValue();
      if (isMulti && vectors != null) {
        ListVector lists = (ListVector) root.getVector("v");
        lists.startNewValue(row);
        for (double[] vector : vectors) {
          set((FixedSizeListVector) lists.getDataVector(), place++, vector);
        }
        lists.endValue(row, vectors.length);
      } else if (!isMulti) {
        set((FixedSizeListVector) root.getVector("v"), row, vectors == null ? null : vectors[0]);
      }
      row++;
    }
    if (isMulti) {
      ((ListVector) root.getVector("v")).getDataVector().setValueCount(place);
    }
    root.setRowCount(row);
    return root;
  }

  private static void set(FixedSizeListVector lists, int place, double[] vector) {
    if (vector == null) {
      lists.setNull(place);
      return;
    }
    lists.startNewValue(place);
    for (int i = 0; i < DIMENSION; i++) {
      ((Float4Vector) lists.getDataVector()).setSafe(place * DIMENSION + i, (float) vector[i]);
    }
  }

  /** The newest version; stays open until the next change. */
  Dataset dataset() {
    return dataset;
  }

  MemoryObjectStore store() {
    return store;
  }

  /** What the rows are by key. */
  Map<Long, double[][]> rows() {
    return rows;
  }

  /** Changes what does not change any row. */
  void maintain(UnaryOperator<Dataset> change) {
    replace(change.apply(dataset));
  }

  private void replace(Dataset next) {
    dataset.close();
    dataset = next;
  }

  /** Opens the newest version with nothing in memory. */
  void reopen() {
    replace(Dataset.open(PATH, OpenOptions.builder().store(store).allocator(allocator).build()));
  }

  void append(Map<Long, double[][]> more) {
    try (VectorSchemaRoot root = batch(more)) {
      replace(dataset.append(root));
    }
    rows.putAll(more);
  }

  /** Changes rows whose keys are there, and adds the others. */
  void merge(Map<Long, double[][]> source, MergeOptions.Form form) {
    try (VectorSchemaRoot root = batch(source)) {
      replace(
          dataset
              .mergeInsert("k")
              .form(form)
              .whenMatched(WhenMatched.updateAll())
              .whenNotMatched(WhenNotMatched.insertAll())
              .execute(root)
              .dataset());
    }
    rows.putAll(source);
  }

  /** Changes other columns than that of vectors. */
  void touch(int modulus, int remainder) {
    replace(
        dataset
            .update()
            .where("k % " + modulus + " = " + remainder)
            .set("n", "n + 1")
            .execute()
            .dataset());
  }

  void delete(int modulus, int remainder) {
    replace(dataset.delete("k % " + modulus + " = " + remainder).dataset());
    rows.keySet().removeIf(k -> k % modulus == remainder);
  }

  /**
   * Checks that a query finds what brute force in memory finds, with an index and without, in a
   * search of all rows and in one of those whose key has remainder 1 by 3.
   *
   * @param query of {@code vectors}, as thorough as it must be
   */
  void check(VectorQuery query, double[][] vectors, Metric metric, String when) throws Exception {
    Scan all = dataset.scan().select("k").withRowId();
    VectorQuery exact = query.metric(metric).useIndex(false);
    Map<Long, Double> distances = distances(vectors, metric, k -> true);
    List<VectorRows.Found> truth = VectorRows.read(all.nearest(exact).open());
    assertNearest(truth, distances, query.k(), "without the index " + when);
    List<VectorRows.Found> found = VectorRows.read(all.nearest(query).open());
    assertNearest(found, distances, query.k(), when);
    Scan before = all.where("k % 3 = 1").prefilter(true);
    Map<Long, Double> filtered = distances(vectors, metric, k -> k % 3 == 1);
    assertNearest(VectorRows.read(before.nearest(exact).open()), filtered, query.k(), when);
    List<VectorRows.Found> foundBefore = VectorRows.read(before.nearest(query).open());
    assertNearest(foundBefore, filtered, query.k(), "filtered " + when);
    List<VectorRows.Found> after = VectorRows.read(all.nearest(query).where("k % 3 = 1").open());
    assertThat(after)
        .as("filtered afterwards %s", when)
        .isEqualTo(found.stream().filter(row -> row.k() % 3 == 1).toList());
    if (metric == Metric.L2) {
      // Nothing is rounded, so that also of rows equally far the same ones are found.
      assertThat(found).as(when).isEqualTo(truth);
      assertThat(foundBefore).as(when).isEqualTo(VectorRows.read(before.nearest(exact).open()));
    }
  }

  /** Checks that rows found are the nearest of those whose distances are given. */
  static void assertNearest(
      List<VectorRows.Found> found, Map<Long, Double> distances, int k, String when) {
    double[] nearest =
        distances.values().stream().mapToDouble(Double::doubleValue).sorted().limit(k).toArray();
    assertThat(found.stream().map(VectorRows.Found::rowId)).as(when).doesNotHaveDuplicates();
    assertThat(found.stream().map(VectorRows.Found::k)).as(when).doesNotHaveDuplicates();
    assertThat(found)
        .as("of %s, %s", DoubleStream.of(nearest).boxed().toList(), when)
        .hasSize(nearest.length);
    for (int i = 0; i < nearest.length; i++) {
      VectorRows.Found row = found.get(i);
      assertThat(distances).as(when).containsKey(row.k());
      assertThat(row.distance()).as(when).isCloseTo(nearest[i], within(TOLERANCE));
      assertThat(row.distance()).as(when).isCloseTo(distances.get(row.k()), within(TOLERANCE));
    }
  }

  /** The rows that have a distance to a query, with it. */
  Map<Long, Double> distances(double[][] query, Metric metric, LongPredicate filter) {
    Map<Long, Double> distances = new TreeMap<>();
    rows.forEach(
        (k, vectors) -> {
          double distance = vectors == null ? Double.NaN : distance(query, vectors, metric);
          if (filter.test(k) && !Double.isNaN(distance)) {
            distances.put(k, distance);
          }
        });
    return distances;
  }

  private double distance(double[][] query, double[][] row, Metric metric) {
    if (!isMulti) {
      return VectorRows.distance(query[0], row[0], metric);
    }
    double similarity = 0;
    for (double[] vector : query) {
      double most = Double.NaN;
      for (double[] other : row) {
        double near = 1 - VectorRows.distance(vector, other, metric);
        most = Double.isNaN(near) || most > near ? most : near;
      }
      similarity += most;
    }
    return 1 - similarity;
  }

  /** The numbers of the rows that a scan gives, in its order. */
  static List<Long> keys(Scan scan) throws Exception {
    List<Long> keys = new ArrayList<>();
    try (ArrowReader reader = scan.select("k").open()) {
      while (reader.loadNextBatch()) {
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        for (int i = 0; i < root.getRowCount(); i++) {
          keys.add(((BigIntVector) root.getVector("k")).get(i));
        }
      }
    }
    return keys;
  }

  @Override
  public void close() {
    dataset.close();
    allocator.close();
  }
}
