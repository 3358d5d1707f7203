package dev.lance4j.interop.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lance4j.Dataset;
import dev.lance4j.index.IndexDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bitmap index of a table that version 0.20 wrote: keys in any order, no statistics. */
class LegacyBitmapTest {
  private static final Path TABLE =
      Path.of(System.getProperty("lance4j.data", ""))
          .resolve("historical/v0.20.0/old_btree_bitmap_indices.lance");

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private String copy() throws IOException {
    assumeTrue(Files.isDirectory(TABLE), "there is no historical table " + TABLE);
    Path copy = folder.resolve("copy.lance");
    try (Stream<Path> files = Files.walk(TABLE)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(TABLE.relativize(file).toString()));
      }
    }
    return copy.toString();
  }

  private static IndexDescription bitmap(Dataset dataset) {
    return dataset.describeIndices().stream()
        .filter(index -> index.type().equals("Bitmap"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void everyConditionFindsTheRowsOfAScan() throws IOException {
    String uri = copy();
    try (Dataset dataset = IndexedTables.open(uri, allocator)) {
      IndexDescription index = bitmap(dataset);
      String column = index.columns().get(0);
      for (String rest : List.of("= 1", "= 2", "> 1", "<= 3", "IN (1, 4, 9)", "IS NULL", "!= 2")) {
        String condition = column + " " + rest;
        assertThat(dataset.scan().where(condition).explain()).contains(index.name());
        assertThat(IndexedTables.ours(uri, condition, true, allocator))
            .as(condition)
            .isEqualTo(IndexedTables.ours(uri, condition, false, allocator));
      }
      assertThat(dataset.indexStatistics(index.name())).contains("\"num_bitmaps\":4");
    }
  }
}
