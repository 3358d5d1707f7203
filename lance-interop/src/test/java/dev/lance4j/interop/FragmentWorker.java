package dev.lance4j.interop;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lance4j.Dataset;
import dev.lance4j.FragmentWriter;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.IpcFiles;
import dev.lance4j.table.FragmentMetadata;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * A process that writes rows to a table without committing them.
 *
 * <p>Arguments: the table, the version that all workers read, a file with the rows, and the file
 * for the fragments, one JSON text in each line if its name says so and a serialised list
 * otherwise.
 */
final class FragmentWorker {
  private FragmentWorker() {}

  public static void main(String[] args) throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        ArrowTable rows = IpcFiles.read(Path.of(args[2]), allocator);
        Dataset dataset =
            Dataset.open(
                args[0],
                OpenOptions.builder()
                    .version(Long.parseLong(args[1]))
                    .allocator(allocator)
                    .build())) {
      List<FragmentMetadata> fragments =
          FragmentWriter.to(dataset).maxRowsPerFile(100).write(rows.root());
      write(fragments, Path.of(args[3]));
    }
  }

  private static void write(List<FragmentMetadata> fragments, Path file) throws IOException {
    if (file.toString().endsWith(".json")) {
      Files.write(file, fragments.stream().map(FragmentMetadata::toJson).toList(), UTF_8);
      return;
    }
    try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(file))) {
      out.writeObject(new ArrayList<>(fragments));
    }
  }
}
