package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.DatasetExistsException;
import dev.lance4j.format.DatasetNotFoundException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.VersionNotFoundException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.testing.CountingObjectStore;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.VersionSummary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetTest {
  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private String uri() {
    return folder.resolve("table.lance").toString();
  }

  @Test
  void splitsRowsIntoFragmentsOfExactlyTheSizeAsked() throws Exception {
    try (Dataset dataset = Songs.create(uri(), 1_700, 100, allocator)) {
      assertThat(dataset.fragments())
          .hasSize(17)
          .extracting(FragmentMetadata::physicalRows)
          .containsOnly(100L);
      assertThat(dataset.countRows()).isEqualTo(1_700);
      List<Object> keys = Songs.column(dataset.scan().open(), "k");
      assertThat(keys).hasSize(1_700);
      for (int i = 0; i < keys.size(); i++) {
        assertThat(keys.get(i)).isEqualTo((long) i);
      }
    }
  }

  @Test
  void startsAnotherFileWhenOneHasEnoughBytes() throws Exception {
    int rows = 12;
    Schema schema = new Schema(List.of(Field.nullable("b", ArrowType.Binary.INSTANCE)));
    try (VectorSchemaRoot batch = VectorSchemaRoot.create(schema, allocator)) {
      VarBinaryVector values = (VarBinaryVector) batch.getVector("b");
      // Bytes that do not compress, since long values are stored compressed.
      Random random = new Random(1);
      byte[] value = new byte[1 << 20];
      for (int i = 0; i < rows; i++) {
        random.nextBytes(value);
        values.setSafe(i, value);
      }
      batch.setRowCount(rows);
      // Rows wait until a page is full: one batch is more than a page, so each fills a file.
      try (Dataset dataset =
          Dataset.write(uri())
              .allocator(allocator)
              .maxBytesPerFile(8 << 20)
              .from(schema, List.of(batch, batch, batch))) {
        assertThat(dataset.fragments())
            .hasSize(3)
            .extracting(FragmentMetadata::physicalRows)
            .containsOnly((long) rows);
        assertThat(Songs.count(dataset.scan().open())).isEqualTo(3L * rows);
      }
    }
  }

  /** Limits and offsets that readers of many files get wrong (reported fault M39). */
  @Test
  void limitsAndOffsetsCountRowsOfTheWholeTable() throws Exception {
    try (Dataset dataset = Songs.create(uri(), 1_700, 100, allocator)) {
      assertThat(Songs.column(dataset.scan().limit(10).open(), "k")).hasSize(10);
      assertThat(Songs.count(dataset.scan().limit(0).open())).isZero();
      List<Object> middle = Songs.column(dataset.scan().offset(100).limit(100).open(), "k");
      assertThat(middle).hasSize(100).startsWith(100L).endsWith(199L);
      assertThat(Songs.count(dataset.scan().offset(1_695).limit(10).open())).isEqualTo(5);
      assertThat(Songs.count(dataset.scan().offset(9_999).open())).isZero();
      assertThat(dataset.scan().offset(1_695).limit(10).count()).isEqualTo(5);
      assertThat(dataset.scan().offset(9_999).count()).isZero();
      assertThat(dataset.scan().limit(0).count()).isZero();
    }
  }

  @Test
  void givesBatchesOfAtMostTheSizeAsked() throws Exception {
    try (Dataset dataset = Songs.create(uri(), 250, 100, allocator);
        ArrowReader reader = dataset.scan().batchSize(64).open()) {
      List<Integer> sizes = new ArrayList<>();
      while (reader.loadNextBatch()) {
        sizes.add(reader.getVectorSchemaRoot().getRowCount());
      }
      assertThat(sizes).containsExactly(64, 36, 64, 36, 50);
    }
  }

  @Test
  void projectsColumnsInTheOrderAskedWithVirtualOnes() throws Exception {
    try (Dataset dataset = Songs.create(uri(), 5, 3, allocator)) {
      try (ArrowReader reader =
          dataset.scan().select("s", "k").withRowAddress().withRowId().open()) {
        assertThat(reader.getVectorSchemaRoot().getSchema().getFields())
            .extracting(Field::getName)
            .containsExactly("s", "k", "_rowaddr", "_rowid");
      }
      assertThat(Songs.column(dataset.scan().select("_rowid").open(), "_rowid"))
          .containsExactly(0L, 1L, 2L, 1L << 32, 1L << 32 | 1);
      assertThat(Songs.column(dataset.scan().select("_rowoffset", "k").open(), "_rowoffset"))
          .containsExactly(0L, 1L, 2L, 3L, 4L);
      assertThat(Songs.count(dataset.scan().select().open())).isEqualTo(5);
      assertThatThrownBy(() -> dataset.scan().select("title"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'title'")
          .hasMessageContaining("[k, s]");
    }
  }

  @Test
  void scansOnlyTheFragmentsAskedFor() throws Exception {
    try (Dataset dataset = Songs.create(uri(), 5, 2, allocator)) {
      assertThat(Songs.column(dataset.scan().fragments(2, 0).open(), "k"))
          .containsExactly(0L, 1L, 4L);
      assertThatThrownBy(() -> dataset.scan().fragments(7))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("7");
    }
  }

  @Test
  void takesRowsInAnyOrderWithRepeats() throws Exception {
    try (Dataset dataset = Songs.create(uri(), 20, 7, allocator)) {
      long[] positions = {16, 0, 16, 8};
      assertThat(Songs.column(dataset.take(positions), "k")).containsExactly(16L, 0L, 16L, 8L);
      assertThat(Songs.column(dataset.take(positions, "s"), "s"))
          .containsExactly("song 16", "song 0", "song 16", "song 8");
      assertThat(Songs.count(dataset.take(new long[0]))).isZero();
      assertThatThrownBy(() -> dataset.take(new long[] {20}))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("20");
      assertThatThrownBy(() -> dataset.take(new long[] {-1}))
          .isInstanceOf(InvalidInputException.class);
      long[] ids = {1L << 32 | 2, 5, 1L << 32 | 2, 99, 7L << 32};
      assertThat(Songs.column(dataset.takeRows(ids, "k"), "k")).containsExactly(9L, 5L, 9L);
      assertThat(Songs.column(dataset.head(3, "k"), "k")).containsExactly(0L, 1L, 2L);
    }
  }

  @Test
  void keepsEachVersionReadable() throws Exception {
    try (Dataset one = Songs.create(uri(), 3, 100, allocator);
        VectorSchemaRoot more = Songs.rows(3, 5, allocator);
        Dataset two = one.append(more);
        Dataset three =
            Dataset.write(uri()).allocator(allocator).mode(WriteMode.OVERWRITE).from(more)) {
      assertThat(two.version()).isEqualTo(2);
      assertThat(three.version()).isEqualTo(3);
      assertThat(three.versions()).extracting(VersionSummary::id).containsExactly(1L, 2L, 3L);
      try (Dataset first = three.checkout(1);
          Dataset second = one.checkout(2);
          Dataset newest = one.latest()) {
        assertThat(Songs.column(first.scan().open(), "k")).containsExactly(0L, 1L, 2L);
        assertThat(second.countRows()).isEqualTo(5);
        assertThat(Songs.column(newest.scan().open(), "k")).containsExactly(3L, 4L);
      }
      assertThat(one.countRows()).isEqualTo(3);
      assertThatThrownBy(() -> one.checkout(9))
          .isInstanceOf(VersionNotFoundException.class)
          .hasMessageContaining("9");
    }
  }

  @Test
  void createsATableWithoutRowsAndAppendsToIt() throws Exception {
    try (Dataset empty = Dataset.write(uri()).allocator(allocator).from(Songs.SCHEMA);
        VectorSchemaRoot rows = Songs.rows(0, 2, allocator);
        VectorSchemaRoot none = Songs.rows(0, 0, allocator);
        Dataset filled = empty.append(rows);
        Dataset same = filled.append(none)) {
      assertThat(empty.countRows()).isZero();
      assertThat(Songs.count(empty.scan().open())).isZero();
      assertThat(filled.countRows()).isEqualTo(2);
      assertThat(same.version()).isEqualTo(filled.version() + 1);
      assertThat(same.fragments()).isEqualTo(filled.fragments());
    }
  }

  @Test
  void refusesToCreateATableTwice() {
    Songs.create(uri(), 1, 1, allocator).close();
    assertThatThrownBy(() -> Songs.create(uri(), 1, 1, allocator))
        .isInstanceOf(DatasetExistsException.class)
        .hasMessageContaining("table.lance");
    assertThat(folder.resolve("table.lance/data").toFile().list()).hasSize(1);
  }

  @Test
  void appendFillsColumnsThatAreLeftOutWithNulls() throws Exception {
    Schema onlyKeys = new Schema(List.of(Songs.SCHEMA.findField("k")));
    try (Dataset dataset = Songs.create(uri(), 2, 100, allocator);
        VectorSchemaRoot rows = Songs.rows(2, 3, allocator)) {
      VectorSchemaRoot keys = new VectorSchemaRoot(List.of(rows.getVector("k")));
      keys.setRowCount(1);
      assertThat(keys.getSchema()).isEqualTo(onlyKeys);
      try (Dataset appended = dataset.append(keys)) {
        assertThat(Songs.column(appended.scan().open(), "s"))
            .containsExactly("song 0", "song 1", null);
      }
    }
  }

  @Test
  void refusesRowsThatDoNotFitAndLeavesNothingBehind() {
    Schema wrong = new Schema(List.of(Field.nullable("k", ArrowType.Utf8.INSTANCE)));
    Schema extra =
        new Schema(
            List.of(Songs.SCHEMA.findField("k"), Field.nullable("more", ArrowType.Utf8.INSTANCE)));
    try (Dataset dataset = Songs.create(uri(), 2, 100, allocator);
        VectorSchemaRoot wrongType = VectorSchemaRoot.create(wrong, allocator);
        VectorSchemaRoot extraColumn = VectorSchemaRoot.create(extra, allocator)) {
      assertThatThrownBy(() -> dataset.append(wrongType))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("'k'")
          .hasMessageContaining("string")
          .hasMessageContaining("int64");
      assertThatThrownBy(() -> dataset.append(extraColumn))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("more");
      assertThat(folder.resolve("table.lance/data").toFile().list()).hasSize(1);
      assertThat(dataset.versions()).hasSize(1);
    }
  }

  @Test
  void saysWhatIsMissing() throws Exception {
    assertThatThrownBy(() -> Dataset.open(uri()))
        .isInstanceOf(DatasetNotFoundException.class)
        .hasMessageContaining("table.lance");
    Files.createDirectories(folder.resolve("table.lance/_versions"));
    assertThatThrownBy(() -> Dataset.open(uri())).isInstanceOf(DatasetNotFoundException.class);
  }

  @Test
  void everyConcurrentAppendIsThereExactlyOnce() throws Exception {
    int writers = 6;
    int appends = 5;
    Songs.create(uri(), 1, 100, allocator).close();
    ExecutorService executor = Executors.newFixedThreadPool(writers);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        int first = 1_000 * (w + 1);
        tasks.add(
            () -> {
              for (int i = 0; i < appends; i++) {
                try (VectorSchemaRoot row = Songs.rows(first + i, first + i + 1, allocator)) {
                  append(row);
                }
              }
              return null;
            });
      }
      for (Future<Void> done : executor.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      executor.shutdownNow();
    }
    try (Dataset dataset =
        Dataset.open(uri(), OpenOptions.builder().allocator(allocator).build())) {
      assertThat(dataset.version()).isEqualTo(1 + writers * appends);
      assertThat(Songs.column(dataset.scan().open(), "k"))
          .hasSize(1 + writers * appends)
          .doesNotHaveDuplicates();
    }
  }

  private void append(VectorSchemaRoot row) {
    try (Dataset dataset = Dataset.open(uri(), OpenOptions.builder().allocator(allocator).build());
        Dataset appended = dataset.append(row)) {
      assertThat(appended.version()).isGreaterThan(dataset.version());
    } catch (CommitConflictException e) {
      throw new AssertionError("appends never conflict", e);
    }
  }

  @Test
  void readsAVersionWithOneRequestAndARowOfItWithFew() throws Exception {
    CountingObjectStore store = new CountingObjectStore(new MemoryObjectStore());
    try (VectorSchemaRoot rows = Songs.rows(0, 5_000, allocator)) {
      Dataset.write("table").store(store).allocator(allocator).from(rows).close();
    }
    store.reset();
    OpenOptions options = OpenOptions.builder().store(store).allocator(allocator).build();
    try (Dataset dataset = Dataset.open("table", options)) {
      assertThat(dataset.countRows()).isEqualTo(5_000);
      assertThat(store.calls(StoreCall.READ))
          .as("requests to open and count")
          .isLessThanOrEqualTo(2);
      store.reset();
      assertThat(Songs.column(dataset.take(new long[] {4_321}, "s"), "s"))
          .containsExactly("song 4321");
      long bytes = store.bytes(StoreCall.READ);
      assertThat(Songs.column(dataset.take(new long[] {4_320}, "s"), "s"))
          .containsExactly("song 4320");
      assertThat(store.bytes(StoreCall.READ) - bytes)
          .as("bytes of a warm look-up")
          .isLessThan(10_000);
    }
  }

  @Test
  void writesEachFileVersion() throws Exception {
    for (FileVersion version : List.of(FileVersion.V2_0, FileVersion.V2_1, FileVersion.V2_2)) {
      String path = folder.resolve("v" + version).toString();
      try (VectorSchemaRoot rows = Songs.rows(0, 10, allocator);
          Dataset dataset =
              Dataset.write(path).allocator(allocator).fileVersion(version).from(rows);
          Dataset appended = dataset.append(rows)) {
        assertThat(appended.fragments())
            .allSatisfy(
                fragment -> assertThat(fragment.files().get(0).fileVersion()).isEqualTo(version));
        assertThat(Songs.column(appended.scan().open(), "s")).hasSize(20).endsWith("song 9");
      }
    }
  }
}
