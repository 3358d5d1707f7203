package dev.lance4j.format.mutation;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.DictionaryUtility;

/** Small files that are not damaged. */
final class MutationSeeds {
  private static final int ROWS = 60;

  /**
   * A file.
   *
   * @param name what it is, for messages
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Seed(String name, byte[] bytes) {}

  private MutationSeeds() {}

  /** One column of each type in a file of each version, and the files of the real library. */
  static List<Seed> all() {
    List<Seed> seeds = new ArrayList<>();
    for (FileVersion version : List.of(FileVersion.V2_0, FileVersion.V2_1, FileVersion.V2_2)) {
      for (Field field : SampleFields.of(version)) {
        seeds.add(new Seed(version + " " + field.getName(), write(field, version)));
      }
    }
    seeds.addAll(ofTheRealLibrary());
    return seeds;
  }

  private static byte[] write(Field field, FileVersion version) {
    MemoryObjectStore store = new MemoryObjectStore();
    try (BufferAllocator allocator = new RootAllocator();
        ArrowTable table = RandomData.table(List.of(field), NullPattern.SOME, ROWS, 3, allocator)) {
      Field message =
          DictionaryUtility.toMessageFormat(field, table.dictionaries(), new HashSet<>());
      LanceSchema schema = LanceSchema.fromArrow(new Schema(List.of(message)));
      try (LanceFileWriter writer =
          LanceFileWriter.create(store, "seed", schema, version, allocator)) {
        writer.write(table.root(), table.dictionaries());
        writer.finish();
      }
    }
    try (ObjectReader reader = store.open("seed")) {
      byte[] bytes = new byte[(int) reader.size()];
      ByteBuffer content = reader.read(0, bytes.length);
      content.get(bytes);
      return bytes;
    }
  }

  private static List<Seed> ofTheRealLibrary() {
    List<Seed> seeds = new ArrayList<>();
    try (Stream<Path> files =
        Files.list(Path.of(MutationSeeds.class.getResource("/mutation").toURI()))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".lance")).sorted().toList()) {
        seeds.add(new Seed(file.getFileName().toString(), Files.readAllBytes(file)));
      }
      return seeds;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
