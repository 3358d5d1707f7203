package dev.lance4j.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Data files that old versions wrote, opened without their tables. */
class HistoricalFilesTest {
  @Test
  void readsEveryRowOfEveryFile() throws IOException {
    Path folder = Path.of(System.getProperty("lance4j.data", "absent"), "historical");
    Assumptions.assumeTrue(Files.isDirectory(folder), "no old tables in " + folder);
    List<Path> files;
    try (Stream<Path> paths = Files.walk(folder)) {
      files =
          paths
              .filter(path -> path.getParent().endsWith("data"))
              .filter(path -> path.toString().endsWith(".lance"))
              .toList();
    }
    assertThat(files).hasSizeGreaterThan(20);
    try (BufferAllocator allocator = new RootAllocator()) {
      for (Path path : files) {
        long rows = 0;
        try (LanceFileReader file = LanceFileReader.open(path.toString());
            ArrowReader reader = file.scan().batchSize(7).open(allocator)) {
          while (reader.loadNextBatch()) {
            rows += reader.getVectorSchemaRoot().getRowCount();
          }
          assertThat(rows).as(path.toString()).isEqualTo(file.rowCount());
        }
      }
    }
  }
}
