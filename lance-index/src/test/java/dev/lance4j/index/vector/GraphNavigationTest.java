package dev.lance4j.index.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.table.Session;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A search of a graph with little in sight finds its way to each row. */
class GraphNavigationTest {
  private static final int DIMENSION = 8;

  /** Many more than processors, so that some are stopped in the midst of an insertion. */
  private static final int THREADS = 24;

  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store = new MemoryObjectStore();
  private final Session session = Session.create();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  void close() {
    threads.shutdown();
    session.close();
    allocator.close();
  }

  /** Vectors of which some share are copies of a few. */
  private static float[][] vectors(int rows, double copied, int kinds) {
    SplittableRandom random = new SplittableRandom(kinds);
    float[][] vectors = new float[rows][DIMENSION];
    for (int row = 0; row < rows; row++) {
      for (int d = 0; d < DIMENSION; d++) {
        vectors[row][d] = (float) random.nextDouble(-1, 1);
      }
      if (row > kinds && random.nextDouble() < copied) {
        vectors[row] = vectors[random.nextInt(kinds)];
      }
    }
    vectors[0] = new float[DIMENSION];
    return vectors;
  }

  private VectorSegment build(VectorIndexType type, float[][] vectors, int parallel) {
    VectorSegmentBuilder.of(VectorIndexSpec.of(type).partitions(1))
        .parallel(parallel, threads)
        .build(
            new VectorFixtures.Source(VectorElement.FLOAT32, vectors, 1 << 12, allocator),
            store,
            "s",
            FileVersion.V2_1,
            allocator);
    return VectorSegment.open(store, "s", session, allocator);
  }

  /** How many rows are not their own nearest neighbour. */
  private static int missed(VectorSegment segment, float[][] vectors, int inSight) {
    int missed = 0;
    VectorSearch search = VectorSearch.of(1).ef(inSight);
    for (int row = 1; row < vectors.length; row++) {
      Neighbors found = segment.search(QueryVector.of(vectors[row]), search, null);
      missed += found.size() == 1 && found.distances()[0] == 0 ? 0 : 1;
    }
    return missed;
  }

  /**
   * Most rows are the same as one of a few others, and the rest lie around these: searches come
   * upon the copies first.
   */
  @ParameterizedTest
  @CsvSource({"0.5, 1", "0.5, 5", "0.9, 3", "0.5, 200"})
  void copiesDoNotStandInTheWay(double copied, int kinds) {
    float[][] vectors = vectors(8_000, copied, kinds);
    try (VectorSegment segment = build(VectorIndexType.IVF_HNSW_FLAT, vectors, 1)) {
      assertThat(missed(segment, vectors, 16)).isLessThanOrEqualTo(1);
    }
  }

  /** All copies are found, whichever of them is asked for. */
  @ParameterizedTest
  @CsvSource({"IVF_HNSW_FLAT", "IVF_HNSW_SQ"})
  void copiesAreFoundTogether(VectorIndexType type) {
    float[][] vectors = vectors(2_000, 0.6, 4);
    int copies = 0;
    for (float[] vector : vectors) {
      copies += Arrays.equals(vector, vectors[2]) ? 1 : 0;
    }
    try (VectorSegment segment = build(type, vectors, 1)) {
      Neighbors found = segment.search(QueryVector.of(vectors[2]), VectorSearch.of(copies), null);
      assertThat(found.size()).isEqualTo(copies);
      for (long rowId : found.rowIds()) {
        assertThat(vectors[(int) (rowId - VectorFixtures.FIRST_ROW_ID)]).isEqualTo(vectors[2]);
      }
    }
  }

  /** However many threads insert rows, no part of the graph is left aside. */
  @RepeatedTest(3)
  void rowsOfManyThreadsAreFound() {
    float[][] vectors = vectors(12_000, 0, 1);
    try (VectorSegment segment = build(VectorIndexType.IVF_HNSW_FLAT, vectors, THREADS)) {
      assertThat(missed(segment, vectors, 32)).isLessThanOrEqualTo(1);
    }
  }
}
