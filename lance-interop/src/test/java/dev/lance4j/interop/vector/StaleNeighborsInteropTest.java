package dev.lance4j.interop.vector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.index.vector.Neighbors;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.VectorQuery;
import dev.lance4j.write.WhenMatched;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The real library merges what segments of tables with stable row ids know of rows that were
 * changed since: such rows are in an index twice, or with vectors that they do not have any more.
 */
@WithOracle
class StaleNeighborsInteropTest {
  private static final int ROWS = 600;
  private static final int DIMENSION = 16;
  private static final int PARTITIONS = 3;
  private static final int MOVED = 40;

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();
  private final float[][] vectors = VectorTables.clustered(ROWS, DIMENSION, 4, 21);

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private String uri() {
    return folder.resolve("t.lance").toString();
  }

  private Dataset open() {
    return Dataset.open(uri(), OpenOptions.builder().allocator(allocator).build());
  }

  private void create(VectorIndexType type) {
    try (ArrowTable table = VectorTables.table(SampleFields.float32("item"), vectors, allocator)) {
      Dataset.write(uri())
          .allocator(allocator)
          .stableRowIds(true)
          .maxRowsPerFile(250)
          .from(table.root())
          .close();
    }
    ObjectNode args = Oracle.args(uri()).put("type", "VECTOR").put("name", "by_v");
    args.putArray("columns").add(VectorTables.COLUMN);
    ObjectNode vector = args.putObject("vector").put("partitions", PARTITIONS).put("metric", "L2");
    switch (type.quantization()) {
      case FLAT -> {}
      case SCALAR -> vector.putObject("sq");
      case PRODUCT -> vector.putObject("pq").put("subVectors", 4).put("bits", 4);
      case RABIT -> vector.putObject("rq").put("bits", 1);
    }
    oracle.call("createIndex", args);
  }

  /** Moves some rows far away, and takes the vectors of others. */
  private void move() {
    float[][] moved = new float[MOVED][];
    for (int i = 0; i < MOVED; i++) {
      moved[i] = new float[DIMENSION];
      Arrays.fill(moved[i], 100 + i);
    }
    moved[5] = null;
    moved[6] = null;
    try (ArrowTable table = VectorTables.table(SampleFields.float32("item"), moved, allocator);
        Dataset dataset = open()) {
      BigIntVector keys = (BigIntVector) table.column("k");
      for (int i = 0; i < MOVED; i++) {
        keys.set(i, 3L * i);
      }
      dataset
          .mergeInsert("k")
          .whenMatched(WhenMatched.updateAll())
          .execute(table.root())
          .dataset()
          .close();
    }
  }

  private List<Long> check() {
    try (Dataset dataset = open()) {
      for (int i = 0; i < 3 * MOVED; i += 5) {
        VectorQuery query = VectorQuery.of("v", vectors[i]).k(8).probes(PARTITIONS).refine(20);
        Scan scan = dataset.scan().nearest(query);
        assertThat(scan.explain()).contains("Search index by_v");
        Neighbors found = VectorTables.neighbors(scan, allocator);
        assertThat(Arrays.stream(found.rowIds()).boxed()).doesNotHaveDuplicates();
        NeighborsAssert.assertSame(
            VectorTables.neighbors(dataset.scan().nearest(query.useIndex(false)), allocator),
            found,
            1e-5);
      }
      return dataset.describeIndices().get(0).segments().stream()
          .map(segment -> (long) segment.fragmentIds().size())
          .toList();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"IVF_FLAT", "IVF_SQ", "IVF_PQ", "IVF_RQ"})
  void rowsThatTheRealLibraryMergedAreFoundWhereTheyAre(VectorIndexType type) {
    create(type);
    check();
    move();
    check();
    oracle.call("optimizeIndices", Oracle.args(uri()).put("numIndicesToMerge", 0));
    assertThat(check()).hasSize(2);
    oracle.call("optimizeIndices", Oracle.args(uri()).put("numIndicesToMerge", 2));
    assertThat(check()).hasSize(1);
    Neighbors theirs =
        VectorTables.nearest(
            oracle,
            uri(),
            vectors[0],
            Oracle.args().put("k", 8).put("minProbes", PARTITIONS),
            null,
            allocator);
    oracle.call("compact", Oracle.args(uri()));
    check();
    try (Dataset dataset = open()) {
      dataset.optimizeIndices(OptimizeOptions.merge(1)).close();
    }
    assertThat(check()).hasSize(1);
    try (Dataset dataset = open()) {
      long version = dataset.version();
      // From now on the index is one of ours, which has nothing to be doubted.
      try (Dataset again = dataset.optimizeIndices(OptimizeOptions.merge(1))) {
        assertThat(again.version()).isEqualTo(version);
      }
      Scan scan = dataset.scan().nearest(VectorQuery.of("v", vectors[0]).k(8).probes(PARTITIONS));
      assertThat(scan.explain()).doesNotContain("Measure");
      // The row whose vector this was is elsewhere. From codes it may seem farther than others.
      if (type == VectorIndexType.IVF_FLAT) {
        assertThat(theirs.rowIds()).contains(0);
      }
      assertThat(VectorTables.neighbors(scan, allocator).rowIds()).doesNotContain(0);
    }
  }
}
