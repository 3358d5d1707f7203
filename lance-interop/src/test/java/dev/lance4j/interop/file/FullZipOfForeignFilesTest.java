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
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every type reads as written when the real library is told to zip its items with their levels. */
@WithOracle
class FullZipOfForeignFilesTest {
  // The real library dies of the first and cannot read back what it writes of the second.
  private static final List<String> REFUSED = List.of("fsl_bool", "fsl_fsl");

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @ParameterizedTest
  @CsvSource({"V2_1,NONE", "V2_1,SOME", "V2_2,NONE", "V2_2,SOME"})
  void everyTypeReadsAsWritten(FileVersion version, NullPattern nulls) throws IOException {
    for (Field field : SampleFields.of(version)) {
      if (REFUSED.contains(field.getName())) {
        continue;
      }
      Field zipped =
          new Field(
              field.getName(),
              new FieldType(
                  true,
                  field.getType(),
                  field.getDictionary(),
                  Map.of("lance-encoding:structural-encoding", "fullzip")),
              field.getChildren());
      Path file = folder.resolve("a.lance");
      try (ArrowTable written = RandomData.table(List.of(zipped), nulls, 1500, 3, allocator)) {
        oracle.writeFile(file, version.toString(), written);
        FileChecks.check(file, written, field.getName(), allocator);
      }
    }
  }
}
