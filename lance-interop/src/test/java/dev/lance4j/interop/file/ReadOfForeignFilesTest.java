package dev.lance4j.interop.file;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that the real library wrote read as what was written, in whole and in parts. */
@WithOracle
class ReadOfForeignFilesTest {
  private static final int[] ROW_COUNTS = {1, 7, 1025, 6000};

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  static Stream<Arguments> files() {
    return Stream.of(FileVersion.V2_1, FileVersion.V2_2)
        .flatMap(
            version ->
                Arrays.stream(NullPattern.values())
                    .flatMap(
                        nulls ->
                            Arrays.stream(ROW_COUNTS)
                                .mapToObj(rows -> Arguments.of(version, nulls, rows))));
  }

  @ParameterizedTest
  @MethodSource("files")
  void everyTypeReadsAsWritten(FileVersion version, NullPattern nulls, int rows)
      throws IOException {
    List<Field> fields = SampleFields.of(version);
    try (ArrowTable written = RandomData.table(fields, nulls, rows, 31L * rows, allocator)) {
      Path file = folder.resolve("a.lance");
      oracle.writeFile(file, version.toString(), written);
      for (String column : written.columnNames()) {
        FileChecks.check(file, written, column, allocator);
      }
    }
  }
}
