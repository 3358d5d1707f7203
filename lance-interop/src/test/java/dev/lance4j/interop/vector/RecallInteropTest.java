package dev.lance4j.interop.vector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.index.IndexOptions;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.Neighbors;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.index.vector.VectorIndexType.Quantization;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.scan.VectorQuery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Indices of ours find as many of the true neighbours as those of the real library. */
@WithOracle
class RecallInteropTest {
  private static final int ROWS = 8_000;
  private static final int QUERIES = 400;
  private static final int K = 10;
  private static final double LESS = 0.02;

  /**
   * Both libraries train at random, so that one training says little where they are about equal:
   * their means are compared.
   */
  private static final int MOST_TRAININGS = 6;

  private static final int PARTITIONS = 32;
  private static final int GRAPHS = 4;
  private static final int SUB_VECTORS = 12;

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  record Cell(VectorSet set, VectorIndexType type) {
    /** The same, or where the real library cannot build it, what it should not be worse than. */
    VectorIndexType theirType() {
      return type == VectorIndexType.IVF_HNSW_FLAT ? VectorIndexType.IVF_HNSW_SQ : type;
    }

    int partitions() {
      return type.hasGraph() ? GRAPHS : PARTITIONS;
    }

    List<Settings> settings() {
      return type.hasGraph()
          ? List.of(new Settings(4, 15, 0), new Settings(4, 40, 0), new Settings(4, 60, 4))
          : List.of(new Settings(1, 0, 0), new Settings(4, 0, 0), new Settings(8, 0, 4));
    }
  }

  /** How to search; 0 stands for the default. */
  record Settings(int probes, int ef, int refine) {
    ObjectNode theirs() {
      ObjectNode query = Oracle.args().put("k", K);
      query.put("minProbes", probes).put("maxProbes", probes);
      if (ef > 0) {
        query.put("ef", ef);
      }
      if (refine > 0) {
        query.put("refine", refine);
      }
      return query;
    }

    VectorQuery ours(float[] key) {
      VectorQuery query = VectorQuery.of(VectorTables.COLUMN, key).k(K).probes(probes);
      query = ef > 0 ? query.ef(ef) : query;
      return refine > 0 ? query.refine(refine) : query;
    }
  }

  static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (VectorSet set : VectorSet.values()) {
      for (VectorIndexType type : VectorIndexType.values()) {
        cells.add(new Cell(set, type));
      }
    }
    return cells;
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @ParameterizedTest
  @MethodSource("cells")
  void asManyOfTheTrueRowsAreFound(Cell cell) {
    float[][] all = cell.set().vectors(ROWS + QUERIES);
    float[][] vectors = Arrays.copyOf(all, ROWS);
    float[][] keys = Arrays.copyOfRange(all, ROWS, all.length);
    List<Set<Long>> truth = Arrays.stream(keys).map(key -> nearest(vectors, key, cell)).toList();
    String ours = folder.resolve("ours.lance").toString();
    String theirs = folder.resolve("theirs.lance").toString();
    try (ArrowTable table = VectorTables.table(SampleFields.float32("item"), vectors, allocator)) {
      Dataset.write(ours).allocator(allocator).from(table.root()).close();
      oracle.create(theirs, "2.1", table);
    }
    double[] found = new double[cell.settings().size()];
    double[] expected = new double[cell.settings().size()];
    int trainings = 0;
    do {
      build(ours, cell, trainings++);
      oracle.call("createIndex", theirIndex(theirs, cell));
      add(found, ourRecalls(ours, cell, keys, truth));
      add(expected, theirRecalls(theirs, cell, keys, truth));
    } while (trainings < MOST_TRAININGS && isAnyLess(found, expected, LESS * trainings));
    for (int i = 0; i < found.length; i++) {
      assertThat(found[i] / trainings)
          .as("mean recall of %d trainings with %s", trainings, cell.settings().get(i))
          .isGreaterThanOrEqualTo(expected[i] / trainings - LESS);
    }
  }

  private static void add(double[] sums, double[] recalls) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += recalls[i];
    }
  }

  private static boolean isAnyLess(double[] found, double[] expected, double than) {
    return IntStream.range(0, found.length).anyMatch(i -> found[i] < expected[i] - than);
  }

  private static Set<Long> nearest(float[][] vectors, float[] key, Cell cell) {
    double[] distances = new double[vectors.length];
    for (int row = 0; row < vectors.length; row++) {
      distances[row] = distance(vectors[row], key, cell.set().metric());
    }
    double farthest = Arrays.stream(distances).sorted().skip(K - 1).findFirst().orElseThrow();
    return new HashSet<>(
        IntStream.range(0, vectors.length)
            .filter(row -> distances[row] <= farthest)
            .limit(K)
            .mapToObj(row -> (long) row)
            .toList());
  }

  private static double distance(float[] a, float[] b, Metric metric) {
    double squares = 0;
    double product = 0;
    double aa = 0;
    double bb = 0;
    for (int d = 0; d < a.length; d++) {
      squares += ((double) a[d] - b[d]) * ((double) a[d] - b[d]);
      product += (double) a[d] * b[d];
      aa += (double) a[d] * a[d];
      bb += (double) b[d] * b[d];
    }
    return metric == Metric.COSINE ? 1 - product / Math.sqrt(aa * bb) : squares;
  }

  private void build(String uri, Cell cell, int training) {
    VectorIndexSpec spec =
        VectorIndexSpec.of(cell.type())
            .metric(cell.set().metric())
            .partitions(cell.partitions())
            .seed(training);
    boolean product = cell.type().quantization() == Quantization.PRODUCT;
    IndexOptions options = IndexOptions.builder().name("by_v").replace(true).build();
    try (Dataset dataset = open(uri)) {
      dataset
          .createIndex(VectorTables.COLUMN, product ? spec.subVectors(SUB_VECTORS) : spec, options)
          .close();
    }
  }

  private Dataset open(String uri) {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  private static ObjectNode theirIndex(String uri, Cell cell) {
    ObjectNode args = Oracle.args(uri).put("type", "VECTOR").put("name", "by_v");
    args.put("replace", true).putArray("columns").add(VectorTables.COLUMN);
    ObjectNode vector = args.putObject("vector").put("partitions", cell.partitions());
    vector.put("metric", cell.set().metric() == Metric.COSINE ? "Cosine" : "L2");
    switch (cell.theirType().quantization()) {
      case FLAT -> {}
      case SCALAR -> vector.putObject("sq");
      case PRODUCT -> vector.putObject("pq").put("subVectors", SUB_VECTORS).put("bits", 8);
      case RABIT -> vector.putObject("rq").put("bits", 1);
    }
    if (cell.type().hasGraph()) {
      vector.putObject("hnsw");
    }
    return args;
  }

  private double[] ourRecalls(String uri, Cell cell, float[][] keys, List<Set<Long>> truth) {
    double[] recalls = new double[cell.settings().size()];
    try (Dataset dataset = open(uri)) {
      for (int s = 0; s < recalls.length; s++) {
        for (int q = 0; q < keys.length; q++) {
          VectorQuery query = cell.settings().get(s).ours(keys[q]).metric(cell.set().metric());
          recalls[s] +=
              recall(
                  truth.get(q), VectorTables.neighbors(dataset.scan().nearest(query), allocator));
        }
        recalls[s] /= keys.length;
      }
    }
    return recalls;
  }

  private double[] theirRecalls(String uri, Cell cell, float[][] keys, List<Set<Long>> truth) {
    double[] recalls = new double[cell.settings().size()];
    for (int s = 0; s < recalls.length; s++) {
      List<List<Long>> found =
          VectorTables.nearest(oracle, uri, List.of(keys), cell.settings().get(s).theirs());
      for (int q = 0; q < keys.length; q++) {
        long hits = found.get(q).stream().filter(truth.get(q)::contains).count();
        recalls[s] += (double) hits / truth.get(q).size() / keys.length;
      }
    }
    return recalls;
  }

  private static double recall(Set<Long> truth, Neighbors found) {
    return (double) Arrays.stream(found.rowIds()).filter(truth::contains).count() / truth.size();
  }
}
