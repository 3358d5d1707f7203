package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.vector.VectorIndexSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much memory a compaction takes does not depend on how large the table is. */
class CompactionMemoryTest {
  private static final int FRAGMENTS = 24;
  private static final int ROWS = 1_000;
  private static final int ROW_BYTES = 8_192;
  private static final int DIMENSION = 64;
  private static final long LIMIT = 64L << 20;

  private static final Schema SCHEMA =
      new Schema(
          List.of(
              SampleFields.int64("k"),
              Field.nullable("payload", ArrowType.Binary.INSTANCE),
              SampleFields.fixedSizeList("v", DIMENSION, SampleFields.float32("item"))));

  @TempDir private Path folder;

  private VectorSchemaRoot rows(long start, BufferAllocator allocator) {
    Random random = new Random(start);
    VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);
    FixedSizeListVector vectors = (FixedSizeListVector) root.getVector("v");
    byte[] payload = new byte[ROW_BYTES];
    for (int row = 0; row < ROWS; row++) {
      ((BigIntVector) root.getVector("k")).setSafe(row, start + row);
      random.nextBytes(payload);
      ((VarBinaryVector) root.getVector("payload")).setSafe(row, payload);
      vectors.startNewValue(row);
      for (int i = 0; i < DIMENSION; i++) {
        ((Float4Vector) vectors.getDataVector()).setSafe(row * DIMENSION + i, random.nextFloat());
      }
    }
    root.setRowCount(ROWS);
    return root;
  }

  private Dataset open(BufferAllocator allocator) {
    return Dataset.open(folder.toString(), OpenOptions.builder().allocator(allocator).build());
  }

  /** About 200 MB of rows in small fragments, of which indices know all. */
  private void create(boolean stable) {
    try (BufferAllocator allocator = new RootAllocator()) {
      for (int fragment = 0; fragment < FRAGMENTS; fragment++) {
        try (VectorSchemaRoot rows = rows((long) fragment * ROWS, allocator)) {
          Dataset.write(folder.toString())
              .allocator(allocator)
              .stableRowIds(stable)
              .mode(fragment == 0 ? WriteMode.CREATE : WriteMode.APPEND)
              .from(rows)
              .close();
        }
      }
      try (Dataset dataset = open(allocator);
          Dataset byKey = dataset.createIndex("k", ScalarIndexSpec.btree());
          Dataset byVector =
              byKey.createIndex("v", VectorIndexSpec.ivfPq().partitions(4).subVectors(8))) {
        byVector.delete("k % 10 = 3").dataset().close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTableMuchLargerThanTheMemoryIsCompacted(boolean stable) {
    create(stable);
    CompactionOptions options = CompactionOptions.builder().threads(1).build();
    try (BufferAllocator allocator = new RootAllocator(LIMIT);
        Dataset dataset = open(allocator);
        Dataset compacted = dataset.compact(options).dataset()) {
      assertThat(compacted.fragments()).hasSize(1);
      assertThat(compacted.fragments().get(0).files().get(0).sizeBytes()).isGreaterThan(2 * LIMIT);
      assertThat(compacted.countRows()).isEqualTo(FRAGMENTS * ROWS * 9L / 10);
      assertThat(compacted.countRows("k = 12345")).isEqualTo(1);
      assertThat(compacted.countRows("k = 12343")).isZero();
    }
  }
}
