package dev.lance4j.interop.vector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.scan.VectorQuery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Where half of all rows have one and the same vector, both libraries find the others in our
 * graphs.
 */
@WithOracle
class CopiedVectorsInteropTest {
  private static final int ROWS = 6_000;
  private static final int DIMENSION = 8;
  private static final int EF = 32;
  private static final int COPIES_ASKED_FOR = 100;

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  /** Zero on even rows, and around zero on the others. */
  private static float[][] vectors() {
    SplittableRandom random = new SplittableRandom(7);
    float[][] vectors = new float[ROWS][DIMENSION];
    for (int row = 1; row < ROWS; row += 2) {
      for (int d = 0; d < DIMENSION; d++) {
        vectors[row][d] = (float) random.nextDouble(-1, 1);
      }
    }
    return vectors;
  }

  @ParameterizedTest
  @CsvSource({"IVF_HNSW_FLAT", "IVF_HNSW_SQ"})
  void rowsBehindCopiesAreFound(VectorIndexType type) {
    String uri = folder.resolve("table.lance").toString();
    float[][] vectors = vectors();
    try (ArrowTable table = VectorTables.table(SampleFields.float32("item"), vectors, allocator)) {
      Dataset.write(uri).allocator(allocator).from(table.root()).close();
    }
    List<float[]> keys = keys(vectors);
    try (Dataset opened = open(uri);
        Dataset dataset =
            opened.createIndex(VectorTables.COLUMN, VectorIndexSpec.of(type).partitions(1))) {
      check(keys, (vector, k) -> ours(dataset, vector, k));
    }
    check(keys, (vector, k) -> theirs(uri, vector, k));
  }

  /** In graphs of the real library fewer are found, but no fewer by us than by itself. */
  @Test
  void weFindAsManyInTheGraphsOfTheRealLibrary() {
    String uri = folder.resolve("table.lance").toString();
    float[][] vectors = vectors();
    try (ArrowTable table = VectorTables.table(SampleFields.float32("item"), vectors, allocator)) {
      oracle.create(uri, "2.1", table);
    }
    VectorTables.index(oracle, uri, "by_v", VectorIndexType.IVF_HNSW_SQ, Metric.L2, 1);
    List<float[]> keys = keys(vectors);
    try (Dataset dataset = open(uri)) {
      assertThat(own(ours(dataset, keys, 2)))
          .isGreaterThanOrEqualTo(own(theirs(uri, keys, 2)) - keys.size() / 200);
    }
  }

  private static void check(List<float[]> keys, Finder finder) {
    assertThat(own(finder.find(keys, 2))).isGreaterThanOrEqualTo(keys.size() - 2);
    assertThat(finder.find(List.of(new float[DIMENSION]), COPIES_ASKED_FOR).get(0))
        .hasSize(COPIES_ASKED_FOR)
        .doesNotHaveDuplicates()
        .allMatch(rowId -> rowId % 2 == 0);
  }

  /** Of how many keys the rows were found that they are from. */
  private static int own(List<List<Long>> found) {
    int own = 0;
    for (int i = 0; i < found.size(); i++) {
      own += found.get(i).contains(2L * i + 1) ? 1 : 0;
    }
    return own;
  }

  private static List<float[]> keys(float[][] vectors) {
    List<float[]> keys = new ArrayList<>();
    for (int row = 1; row < ROWS; row += 2) {
      keys.add(vectors[row]);
    }
    return keys;
  }

  private Dataset open(String uri) {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  /** The ids of the rows that are nearest to some vectors. */
  private interface Finder {
    List<List<Long>> find(List<float[]> vectors, int k);
  }

  private List<List<Long>> ours(Dataset dataset, List<float[]> vectors, int k) {
    return vectors.stream()
        .map(vector -> VectorQuery.of(VectorTables.COLUMN, vector).k(k).ef(Math.max(k, EF)))
        .map(query -> VectorTables.neighbors(dataset.scan().nearest(query), allocator))
        .map(neighbors -> LongStream.of(neighbors.rowIds()).boxed().toList())
        .toList();
  }

  private List<List<Long>> theirs(String uri, List<float[]> vectors, int k) {
    ObjectNode query = Oracle.args().put("k", k).put("ef", Math.max(k, EF));
    return VectorTables.nearest(oracle, uri, vectors, query);
  }
}
