package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.write.BatchSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values of all types in files that are written anew. */
class CompactedValuesTest {
  private static final int ROWS = 1_000;

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  static Stream<Arguments> versionsAndNulls() {
    List<Arguments> all = new ArrayList<>();
    for (FileVersion version : List.of(FileVersion.V2_0, FileVersion.V2_1, FileVersion.V2_2)) {
      for (NullPattern nulls : NullPattern.values()) {
        all.add(Arguments.of(version, nulls));
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("versionsAndNulls")
  void allTypesKeepTheirValues(FileVersion version, NullPattern nulls) {
    List<Field> fields = SampleFields.of(version);
    try (ArrowTable rows = RandomData.table(fields, nulls, ROWS, 5, allocator)) {
      WriteBuilder write =
          Dataset.write(folder.resolve("table").toString())
              .allocator(allocator)
              .fileVersion(version)
              .maxRowsPerFile(ROWS / 7);
      try (Dataset dataset = write.from(BatchSource.of(rows.root(), rows.dictionaries()));
          Dataset fewer = dataset.delete("_rowoffset % 5 = 2").dataset();
          Dataset compacted = fewer.compact(CompactionOptions.defaults()).dataset();
          ArrowTable before = Tables.drain(fewer.scan().open(), allocator);
          ArrowTable after = Tables.drain(compacted.scan().open(), allocator)) {
        assertThat(compacted.fragments()).hasSize(1);
        assertThat(after.rowCount()).isEqualTo(ROWS - ROWS / 5);
        TableAssert.assertEqual(before, after);
      }
    }
  }

  /** A task holds some batches, however large the fragments are. */
  @Test
  void memoryIsBounded() {
    String uri = folder.resolve("wide").toString();
    List<Field> fields =
        List.of(
            SampleFields.int64("k"),
            SampleFields.fixedSizeList("v", 2_000, SampleFields.float32("item")));
    try (ArrowTable rows = RandomData.table(fields, NullPattern.NONE, 2_000, 5, allocator)) {
      for (int i = 0; i < 16; i++) {
        Dataset.write(uri)
            .mode(i == 0 ? WriteMode.CREATE : WriteMode.APPEND)
            .allocator(allocator)
            .from(rows.root())
            .close();
      }
    }
    long bytes = 16L * 2_000 * 2_000 * Float.BYTES;
    try (BufferAllocator small = allocator.newChildAllocator("small", 0, bytes / 2);
        Dataset dataset = Dataset.open(uri, OpenOptions.builder().allocator(small).build());
        Dataset compacted = dataset.compact(CompactionOptions.defaults()).dataset()) {
      assertThat(compacted.fragments()).hasSize(1);
      assertThat(compacted.countRows()).isEqualTo(32_000);
    }
  }
}
