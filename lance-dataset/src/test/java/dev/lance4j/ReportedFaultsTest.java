package dev.lance4j;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults that users of such libraries reported, as far as they concern reading and appending. */
class ReportedFaultsTest {
  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private String uri() {
    return folder.resolve("table.lance").toString();
  }

  private Dataset open(BufferAllocator memory) {
    return Dataset.open(uri(), OpenOptions.builder().allocator(memory).build());
  }

  /** A second append with other values reads the first dictionary, and wide ones wrap around. */
  @Test
  void eachAppendBringsItsOwnDictionary() throws Exception {
    List<String> expected = new ArrayList<>();
    writeDictionary(expected, List.of("red", "blue"), "red", "blue");
    writeDictionary(expected, List.of(), null, null, null);
    List<String> many = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      many.add(String.format("u%03d", i));
    }
    String[] rows = new String[4_000];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = many.get(i * 7 % 300);
    }
    writeDictionary(expected, many, rows);
    writeDictionary(expected, List.of("green"), "green");

    try (Dataset dataset = open(allocator)) {
      assertThat(decoded(dataset.scan().open())).isEqualTo(expected);
      long[] positions = {4_005, 0, 3, 2_000, 1};
      assertThat(decoded(dataset.take(positions)))
          .containsExactly("green", "red", null, expected.get(2_000), "blue");
    }
  }

  private void writeDictionary(List<String> expected, List<String> values, String... rows) {
    DictionaryEncoding encoding = new DictionaryEncoding(1, false, new ArrowType.Int(32, true));
    try (VarCharVector items = text("values", values.toArray(String[]::new));
        VarCharVector plain = text("d", rows)) {
      Dictionary dictionary = new Dictionary(items, encoding);
      try (FieldVector encoded = (FieldVector) DictionaryEncoder.encode(plain, dictionary);
          VectorSchemaRoot root = new VectorSchemaRoot(List.of(encoded))) {
        root.setRowCount(rows.length);
        Dataset.write(uri())
            .allocator(allocator)
            .mode(WriteMode.APPEND)
            .from(root, new MapDictionaryProvider(dictionary))
            .close();
      }
    }
    Collections.addAll(expected, rows);
  }

  private VarCharVector text(String name, String... values) {
    VarCharVector vector = new VarCharVector(name, allocator);
    vector.allocateNew();
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null) {
        vector.setSafe(i, values[i].getBytes(UTF_8));
      }
    }
    vector.setValueCount(values.length);
    return vector;
  }

  private static List<String> decoded(ArrowReader reader) throws Exception {
    List<String> values = new ArrayList<>();
    try (reader) {
      while (reader.loadNextBatch()) {
        FieldVector keys = reader.getVectorSchemaRoot().getVector(0);
        Dictionary dictionary = reader.lookup(keys.getField().getDictionary().getId());
        try (FieldVector plain = (FieldVector) DictionaryEncoder.decode(keys, dictionary)) {
          for (int i = 0; i < plain.getValueCount(); i++) {
            Object value = plain.getObject(i);
            values.add(value == null ? null : value.toString());
          }
        }
      }
    }
    return values;
  }

  /** Two swapped parts of an upload make offsets decrease, and a length near 2^64 follows. */
  @ParameterizedTest
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1"})
  void swappedBlocksOfOffsetsAreCorruption(FileVersion version) throws Exception {
    try (VectorSchemaRoot rows = Songs.rows(0, 10_000, allocator)) {
      Dataset.write(uri()).allocator(allocator).fileVersion(version).from(rows).close();
    }
    Path file;
    try (Stream<Path> files = Files.list(folder.resolve("table.lance/data"))) {
      file = files.findFirst().orElseThrow();
    }
    byte[] original = Files.readAllBytes(file);
    int block = 4096;
    int seen = 0;
    for (int start = 0; start + 2 * block <= original.length - 8192; start += block) {
      byte[] swapped = original.clone();
      System.arraycopy(original, start, swapped, start + block, block);
      System.arraycopy(original, start + block, swapped, start, block);
      Files.write(file, swapped);
      try (BufferAllocator small = new RootAllocator(64 << 20);
          Dataset dataset = open(small)) {
        try {
          assertThat(Songs.count(dataset.scan().open())).isEqualTo(10_000);
        } catch (CorruptFileException e) {
          seen++;
          assertThat(e).hasMessageContaining(file.toString());
        }
      }
    }
    assertThat(seen).isPositive();
  }

  /** A manifest that is larger than the first read of its end is misread. */
  @Test
  void aManifestLargerThanItsTailOpens() throws Exception {
    Songs.create(uri(), 1, 1, allocator).close();
    Table table = Table.at(ObjectStores.resolve(uri()));
    TableVersion version = table.latest();
    FragmentMetadata fragment = version.manifest().fragments().get(0).withId(0);
    Operation append = new Operation.Append(Collections.nCopies(2_999, fragment));
    new Committer(table, CommitOptions.DEFAULT).commit(version, Transaction.of(1, append));
    try (Dataset dataset = open(allocator)) {
      assertThat(dataset.fragments()).hasSize(3_000);
      assertThat(dataset.countRows()).isEqualTo(3_000);
      assertThat(Songs.count(dataset.scan().open())).isEqualTo(3_000);
    }
  }

  /** The batch size is not honoured, and wide rows are read ahead without bound. */
  @Test
  void wideRowsStayWithinMemory() throws Exception {
    int rows = 10_000;
    int width = 100_000;
    Schema schema = new Schema(List.of(Field.nullable("b", ArrowType.Binary.INSTANCE)));
    byte[] value = new byte[width];
    try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator)) {
      VarBinaryVector vector = (VarBinaryVector) root.getVector("b");
      for (int i = 0; i < 250; i++) {
        vector.setSafe(i, value);
      }
      root.setRowCount(250);
      List<VectorSchemaRoot> batches = Collections.nCopies(rows / 250, root);
      Dataset.write(uri()).allocator(allocator).maxRowsPerFile(2_500).from(schema, batches).close();
    }
    try (BufferAllocator small = new RootAllocator(256L << 20);
        Dataset dataset = open(small)) {
      long[] bytes = new long[1];
      dataset
          .scan()
          .batchSize(64)
          .forEachBatch(
              batch -> {
                assertThat(batch.getRowCount()).isLessThanOrEqualTo(64);
                VarBinaryVector vector = (VarBinaryVector) batch.getVector("b");
                for (int i = 0; i < batch.getRowCount(); i++) {
                  bytes[0] += vector.getValueLength(i);
                }
              });
      assertThat(bytes[0]).isEqualTo((long) rows * width);
    }
  }

  /** Scanning only row ids of a fragment with deletions fails. */
  @Test
  void rowIdsAndCountsLeaveDeletedRowsOut() throws Exception {
    Songs.create(uri(), 10, 5, allocator).close();
    Deletions.delete(uri(), 0, 0, 4);
    Deletions.delete(uri(), 1, 2);
    long second = 1L << 32;
    Long[] live = {1L, 2L, 3L, second, second | 1, second | 3, second | 4};
    try (Dataset dataset = open(allocator)) {
      assertThat(dataset.countRows()).isEqualTo(7);
      assertThat(Songs.column(dataset.scan().select().withRowId().open(), "_rowid"))
          .containsExactly((Object[]) live);
      assertThat(Songs.column(dataset.scan().select().withRowAddress().open(), "_rowaddr"))
          .containsExactly((Object[]) live);
      assertThat(Songs.count(dataset.scan().select().open())).isEqualTo(7);
      assertThat(Songs.column(dataset.scan().offset(2).limit(3).open(), "k"))
          .containsExactly(3L, 5L, 6L);
    }
  }

  /** Taking rows fails or shifts when rows are deleted or keys are not sorted. */
  @Test
  void takesPassOverDeletedRows() throws Exception {
    Songs.create(uri(), 20, 10, allocator).close();
    Deletions.delete(uri(), 0, 2, 3);
    Deletions.delete(uri(), 1, 1);
    try (Dataset dataset = open(allocator)) {
      assertThat(Songs.column(dataset.take(new long[] {0, 2, 7}, "k"), "k"))
          .containsExactly(0L, 4L, 9L);
      assertThat(Songs.column(dataset.take(new long[] {16, 0, 16, 8}, "k"), "k"))
          .containsExactly(19L, 0L, 19L, 10L);
      assertThatThrownBy(() -> dataset.take(new long[] {17}))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("17");
      long second = 1L << 32;
      long[] ids = {second | 9, 2, second | 1, 0};
      assertThat(Songs.column(dataset.takeRows(ids, "k"), "k")).containsExactly(19L, 0L);
    }
  }

  /** A child that is shorter than its parent shifts all rows after a null parent. */
  @Test
  void aChildThatIsTooShortIsRefusedByName() {
    Field child = Field.nullable("x", new ArrowType.Int(32, true));
    Schema schema =
        new Schema(
            List.of(
                new Field("st", FieldType.nullable(ArrowType.Struct.INSTANCE), List.of(child))));
    try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator)) {
      root.setRowCount(3);
      IntVector x = (IntVector) root.getVector("st").getChildrenFromFields().get(0);
      x.setValueCount(2);
      assertThatThrownBy(() -> Dataset.write(uri()).allocator(allocator).from(root))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("st.x");
    }
    assertThat(folder.resolve("table.lance/_versions")).doesNotExist();
  }
}
