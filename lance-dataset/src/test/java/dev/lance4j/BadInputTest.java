package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.testing.ForwardingObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damaged tables: each fault is reported by the exception that names it, with the path. */
class BadInputTest {
  private final BufferAllocator allocator = new RootAllocator(64 << 20);

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private String uri() {
    return folder.resolve("table.lance").toString();
  }

  private Dataset open() {
    return Dataset.open(uri(), OpenOptions.builder().allocator(allocator).build());
  }

  private Path only(String directory) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("table.lance").resolve(directory))) {
      return files.filter(file -> !file.toString().endsWith(".json")).findFirst().orElseThrow();
    }
  }

  private Path newestManifest() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("table.lance/_versions"))) {
      return files.filter(file -> file.toString().endsWith(".manifest")).sorted().findFirst().get();
    }
  }

  private void scan() {
    try (Dataset dataset = open()) {
      dataset.scan().forEachBatch(batch -> assertThat(batch.getRowCount()).isPositive());
    }
  }

  @Test
  void namesATruncatedManifestAndStillOpensTheVersionBefore() throws Exception {
    Songs.create(uri(), 3, 100, allocator).close();
    try (Dataset dataset = open();
        VectorSchemaRoot more = Songs.rows(3, 4, allocator)) {
      dataset.append(more).close();
    }
    Path manifest = newestManifest();
    byte[] bytes = Files.readAllBytes(manifest);
    for (int length : new int[] {bytes.length / 2, 15, 1, 0}) {
      Files.write(manifest, Arrays.copyOf(bytes, length));
      assertThatThrownBy(this::open)
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining(manifest.getFileName().toString());
      try (Dataset first =
          Dataset.open(uri(), OpenOptions.builder().version(1).allocator(allocator).build())) {
        assertThat(first.countRows()).isEqualTo(3);
      }
    }
  }

  @Test
  void namesAWrongMagic() throws Exception {
    Songs.create(uri(), 3, 100, allocator).close();
    Path file = only("data");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] = 'X';
    Files.write(file, bytes);
    assertThatThrownBy(this::scan)
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("LANC");
  }

  @ParameterizedTest
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1", "V2_2"})
  void namesATruncatedDataFile(FileVersion version) throws Exception {
    try (VectorSchemaRoot rows = Songs.rows(0, 100, allocator)) {
      Dataset.write(uri()).allocator(allocator).fileVersion(version).from(rows).close();
    }
    Path file = only("data");
    byte[] bytes = Files.readAllBytes(file);
    for (int length = 0; length < bytes.length; length += 37) {
      Files.write(file, Arrays.copyOf(bytes, length));
      assertThatThrownBy(this::scan)
          .isInstanceOfAny(CorruptFileException.class, UnsupportedFormatException.class)
          .hasMessageContaining(file.toString());
    }
  }

  @Test
  void namesAFooterThatPointsOutsideTheFile() throws Exception {
    Songs.create(uri(), 3, 100, allocator).close();
    Path file = only("data");
    byte[] bytes = Files.readAllBytes(file);
    for (int field = 0; field < 3; field++) {
      for (long wrong : new long[] {-1, bytes.length, Long.MAX_VALUE}) {
        ByteBuffer damaged = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.LITTLE_ENDIAN);
        damaged.putLong(bytes.length - 40 + 8 * field, wrong);
        Files.write(file, damaged.array());
        assertThatThrownBy(this::scan)
            .isInstanceOf(CorruptFileException.class)
            .hasMessageContaining(file.toString());
      }
    }
  }

  @Test
  void namesTheDataFileThatIsMissingAndTheManifestThatWantsIt() throws Exception {
    Songs.create(uri(), 3, 100, allocator).close();
    Path file = only("data");
    Files.delete(file);
    assertThatThrownBy(this::scan)
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining(".manifest");
    try (Dataset dataset = open()) {
      assertThat(dataset.countRows()).isEqualTo(3);
      assertThatThrownBy(() -> dataset.take(new long[] {1}))
          .isInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void refusesATableWhoseFlagsAreNotKnown() throws Exception {
    Songs.create(uri(), 3, 100, allocator).close();
    Path manifest = newestManifest();
    byte[] bytes = Files.readAllBytes(manifest);
    // Reader flags (field 9) 2^40 and its footer, appended to the message as any writer could.
    byte[] flags = {0x48, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 0x20};
    ByteBuffer old = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int position = (int) old.getLong(bytes.length - 16);
    ByteBuffer changed =
        ByteBuffer.allocate(bytes.length + flags.length).order(ByteOrder.LITTLE_ENDIAN);
    changed.put(bytes, 0, bytes.length - 16).put(flags).put(bytes, bytes.length - 16, 16);
    changed.putInt(position, old.getInt(position) + flags.length);
    Files.write(manifest, changed.array());
    assertThatThrownBy(this::open)
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("table.lance");
  }

  /** A store that cannot put an object only if it is absent, and says so (reported fault M60). */
  @Test
  void refusesToCommitWhereTheStoreCannotPutIfAbsent() {
    ForwardingObjectStore store =
        new ForwardingObjectStore(new MemoryObjectStore()) {
          @Override
          public boolean putIfAbsent(String path, ByteBuffer content) {
            throw new UnsupportedFormatException("this store has no put-if-absent");
          }
        };
    try (VectorSchemaRoot rows = Songs.rows(0, 3, allocator)) {
      assertThatThrownBy(() -> Dataset.write("t").store(store).allocator(allocator).from(rows))
          .isInstanceOf(UnsupportedFormatException.class);
    }
    assertThat(dataFiles(store)).isEmpty();
  }

  private static List<String> dataFiles(ForwardingObjectStore store) {
    List<String> names = new ArrayList<>();
    store.list("t/data", names::add);
    return names;
  }
}
