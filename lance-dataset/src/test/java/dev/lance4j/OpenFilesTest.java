package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.scan.VectorQuery;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A table that was searched by its indices has no file of them open once it is closed. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class OpenFilesTest {
  private static final int ROWS = 600;
  private static final int DIMENSION = 8;
  private static final int TURNS = 20;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(VectorIndexType.class)
  void filesOfIndicesAreClosedWithTheirTable(VectorIndexType type) throws Exception {
    String uri = folder.resolve("table").toString();
    try (BufferAllocator allocator = new RootAllocator()) {
      write(uri, allocator);
      VectorIndexSpec spec = VectorIndexSpec.of(type).partitions(2);
      try (Dataset table = open(uri, allocator);
          Dataset sorted = table.createIndex("k", ScalarIndexSpec.btree())) {
        boolean isProduct = type.quantization() == VectorIndexType.Quantization.PRODUCT;
        sorted.createIndex("v", isProduct ? spec.subVectors(4).bits(4) : spec).close();
      }
      use(uri, allocator);
      long before = openFiles();
      for (int turn = 0; turn < TURNS; turn++) {
        use(uri, allocator);
      }
      // Others of this process may open one meanwhile.
      assertThat(openFiles()).isLessThan(before + TURNS);
    }
  }

  private static Dataset open(String uri, BufferAllocator allocator) {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  private static void use(String uri, BufferAllocator allocator) throws Exception {
    try (Dataset table = open(uri, allocator)) {
      VectorQuery query = VectorQuery.of("v", new double[DIMENSION]).k(5).refine(2);
      assertThat(VectorRows.read(table.scan().select("k").withRowId().nearest(query).open()))
          .hasSize(5);
      assertThat(table.scan().where("k = 17").count()).isOne();
    }
  }

  private static long openFiles() {
    return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getOpenFileDescriptorCount();
  }

  private static void write(String uri, BufferAllocator allocator) {
    Schema schema =
        new Schema(
            List.of(
                SampleFields.int64("k"),
                SampleFields.fixedSizeList("v", DIMENSION, SampleFields.float32("item"))));
    try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator)) {
      root.allocateNew();
      FixedSizeListVector vectors = (FixedSizeListVector) root.getVector("v");
      for (int row = 0; row < ROWS; row++) {
        ((BigIntVector) root.getVector("k")).setSafe(row, row);
        vectors.startNewValue(row);
        for (int d = 0; d < DIMENSION; d++) {
          int at = row * DIMENSION + d;
          ((Float4Vector) vectors.getDataVector()).setSafe(at, (float) Math.sin(at));
        }
      }
      root.setRowCount(ROWS);
      Dataset.write(uri).allocator(allocator).from(root).close();
    }
  }
}
