package dev.lance4j.index.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.index.vector.internal.hnsw.HnswGraph;
import dev.lance4j.index.vector.internal.storage.GraphFile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of a graph can be found, wherever on its lowest level a search begins. */
class GraphReachabilityTest {
  private static final int ROWS = 900;
  private static final int DIMENSION = 8;

  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store = new MemoryObjectStore();

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  /**
   * Vectors of which many are the same.
   *
   * @param kinds how many different ones there are
   * @param connections of a row, at most
   */
  record Vectors(VectorIndexType type, int kinds, int connections, int threads) {
    float[][] create() {
      SplittableRandom random = new SplittableRandom(kinds);
      float[][] different = new float[kinds][DIMENSION];
      for (int kind = 1; kind < kinds; kind++) {
        for (int d = 0; d < DIMENSION; d++) {
          different[kind][d] = (float) random.nextGaussian();
        }
      }
      float[][] vectors = new float[ROWS][];
      for (int row = 0; row < ROWS; row++) {
        // Half of the rows are zero, and are inserted before most others.
        vectors[row] = different[row < ROWS / 2 ? 0 : random.nextInt(kinds)];
      }
      return vectors;
    }
  }

  static List<Vectors> vectors() {
    List<Vectors> all = new ArrayList<>();
    for (VectorIndexType type : VectorIndexType.values()) {
      for (int kinds : new int[] {1, 3, 40, 700}) {
        if (type.hasGraph()) {
          all.add(new Vectors(type, kinds, 20, 1));
          all.add(new Vectors(type, kinds, 4, 2));
        }
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void everyRowLeadsToEveryOther(Vectors vectors) {
    VectorIndexSpec spec =
        VectorIndexSpec.of(vectors.type()).partitions(1).maxConnections(vectors.connections());
    VectorSegmentBuilder.of(
            vectors.type().name().contains("PQ") ? spec.subVectors(4).bits(4) : spec)
        .parallel(vectors.threads(), ForkJoinPool.commonPool())
        .build(
            new VectorFixtures.Source(VectorElement.FLOAT32, vectors.create(), 256, allocator),
            store,
            "s",
            FileVersion.V2_1,
            allocator);
    try (GraphFile file = GraphFile.open(store, "s")) {
      HnswGraph.Level lowest = file.readGraph(0, ROWS, allocator).level(0);
      List<List<Integer>> there = new ArrayList<>();
      List<List<Integer>> back = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        there.add(new ArrayList<>());
        back.add(new ArrayList<>());
      }
      for (int row = 0; row < ROWS; row++) {
        int place = lowest.place(row);
        for (int i = lowest.start(place); i < lowest.end(place); i++) {
          there.get(row).add(lowest.neighbor(i));
          back.get(lowest.neighbor(i)).add(row);
        }
        assertThat(there.get(row))
            .doesNotHaveDuplicates()
            .doesNotContain(row)
            .hasSizeLessThanOrEqualTo(2 * vectors.connections());
      }
      assertThat(reached(there).cardinality()).isEqualTo(ROWS);
      assertThat(reached(back).cardinality()).isEqualTo(ROWS);
    }
  }

  private static BitSet reached(List<List<Integer>> neighbors) {
    BitSet reached = new BitSet();
    ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(0));
    reached.set(0);
    while (!queue.isEmpty()) {
      for (int neighbor : neighbors.get(queue.remove())) {
        if (!reached.get(neighbor)) {
          reached.set(neighbor);
          queue.add(neighbor);
        }
      }
    }
    return reached;
  }
}
