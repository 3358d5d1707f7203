package dev.lance4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;

/** Tables of {@link SampleRows} on disk. */
final class SampleTable {
  private SampleTable() {}

  /**
   * The table of the first rows, written unless it is there.
   *
   * @param folder for the tables of all benchmarks
   * @param library the name of the one that writes it
   * @return its path
   */
  static String prepare(Path folder, String library, long rows) throws IOException {
    Path table = folder.resolve(library + "-" + rows + ".lance");
    if (!Files.exists(table)) {
      Path unfinished = folder.resolve(library + "-" + rows + ".part");
      delete(unfinished);
      Files.createDirectories(folder);
      try (BufferAllocator allocator = new RootAllocator()) {
        List<VectorSchemaRoot> batches = SampleRows.batches(rows, allocator);
        try (ArrowReader reader = new BatchesReader(batches, allocator)) {
          Library.named(library).create(unfinished.toString(), reader, allocator);
        } finally {
          batches.forEach(VectorSchemaRoot::close);
        }
      }
      Files.move(unfinished, table);
    }
    return table.toString();
  }

  /** Removes a table, if it is there. */
  static void delete(Path table) throws IOException {
    if (!Files.exists(table)) {
      return;
    }
    try (Stream<Path> files = Files.walk(table)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
