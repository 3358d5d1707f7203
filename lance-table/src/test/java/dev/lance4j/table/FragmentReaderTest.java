package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.internal.container.ColumnLayout;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.table.internal.ManifestFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.roaringbitmap.RoaringBitmap;

class FragmentReaderTest {
  private static final int ROWS = 20;

  private final BufferAllocator allocator = new RootAllocator();
  private final Session session = Session.create(0);
  private final Table table = Tables.inMemory();

  @TempDir private Path folder;

  @AfterEach
  void everythingIsReleased() {
    session.close();
    allocator.close();
  }

  private static LanceField number(int id, String name) {
    return new LanceField(id, name, "int32", true, Map.of(), null, List.of());
  }

  private static LanceField struct(int id, String name, LanceField... children) {
    return new LanceField(id, name, "struct", true, Map.of(), null, List.of(children));
  }

  private static LanceSchema schema(LanceField... fields) {
    return new LanceSchema(List.of(fields), Map.of());
  }

  /** The value of a number in a row: it tells the file, the field and the row apart. */
  private static int value(int salt, int fieldId, int row) {
    return salt * 100_000 + fieldId * 1000 + row;
  }

  private DataFile write(FileVersion version, int salt, LanceField... fields) {
    LanceSchema schema = schema(fields);
    String name = UUID.randomUUID() + ".lance";
    long size;
    try (VectorSchemaRoot root = VectorSchemaRoot.create(schema.toArrow(), allocator);
        LanceFileWriter writer =
            LanceFileWriter.create(
                table.store(), table.dataPath(name), schema, version, allocator)) {
      for (LanceField field : schema.fields()) {
        fill(root.getVector(field.name()), field, salt);
      }
      root.setRowCount(ROWS);
      writer.write(root);
      size = writer.finish();
    }
    int[] ids = ColumnLayout.fields(schema, version);
    return DataFile.of(
        name,
        IntStream.of(ids).boxed().toList(),
        IntStream.range(0, ids.length).boxed().toList(),
        version,
        size);
  }

  private static void fill(FieldVector vector, LanceField field, int salt) {
    for (int row = 0; row < ROWS; row++) {
      if (vector instanceof IntVector numbers) {
        numbers.setSafe(row, value(salt, field.id(), row));
      } else {
        ((StructVector) vector).setIndexDefined(row);
      }
    }
    vector.setValueCount(ROWS);
    for (int i = 0; i < field.children().size(); i++) {
      fill(vector.getChildrenFromFields().get(i), field.children().get(i), salt);
    }
  }

  private TableVersion version(LanceSchema schema, FragmentMetadata fragment) {
    Manifest manifest =
        Manifest.builder(1, schema)
            .fragments(List.of(fragment))
            .basePaths(List.of(new BasePath(7, Optional.empty(), true, folder.toString())))
            .build();
    Tables.put(
        table, ManifestNaming.V2.fileName(1), ManifestFile.write(manifest, List.of(), new byte[0]));
    return table.latest();
  }

  private static FragmentMetadata fragment(DataFile... files) {
    return FragmentMetadata.of(List.of(files), ROWS).withId(3);
  }

  private List<Map<String, Object>> scan(
      LanceSchema schema, FragmentMetadata fragment, LanceSchema projection) {
    List<Map<String, Object>> rows = new ArrayList<>();
    try (FragmentReader reader =
            FragmentReader.open(version(schema, fragment), fragment, projection, session);
        ArrowReader batches = reader.scan(7, allocator)) {
      while (batches.loadNextBatch()) {
        VectorSchemaRoot root = batches.getVectorSchemaRoot();
        for (int row = 0; row < root.getRowCount(); row++) {
          Map<String, Object> values = new LinkedHashMap<>();
          for (FieldVector vector : root.getFieldVectors()) {
            values.put(vector.getName(), vector.getObject(row));
          }
          rows.add(values);
        }
      }
      assertThat((long) rows.size()).isEqualTo(reader.liveRows());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource(names = {"V2_0", "V2_1"})
  void columnsComeFromAllFilesInTheOrderAskedFor(FileVersion version) {
    LanceField a = number(0, "a");
    LanceField b = number(1, "b");
    LanceField c = number(2, "c");
    FragmentMetadata fragment = fragment(write(version, 1, a, b), write(version, 2, c));

    List<Map<String, Object>> rows = scan(schema(a, b, c), fragment, schema(c, a));

    assertThat(rows).hasSize(ROWS);
    for (int row = 0; row < ROWS; row++) {
      assertThat(rows.get(row).entrySet())
          .containsExactly(Map.entry("c", value(2, 2, row)), Map.entry("a", value(1, 0, row)));
    }
  }

  @Test
  void aFieldThatNoFileHoldsIsNull() {
    LanceField a = number(0, "a");
    LanceField late = number(9, "late");
    FragmentMetadata fragment = fragment(write(FileVersion.V2_1, 1, a));

    assertThat(scan(schema(a, late), fragment, schema(late)))
        .hasSize(ROWS)
        .allSatisfy(row -> assertThat(row).containsEntry("late", null));
  }

  @Test
  void aFieldThatMustHaveValuesMustBeInAFile() {
    LanceField a = number(0, "a");
    LanceField required = new LanceField(9, "required", "int32", false, Map.of(), null, List.of());
    FragmentMetadata fragment = fragment(write(FileVersion.V2_1, 1, a));

    assertThatThrownBy(() -> scan(schema(a, required), fragment, schema(required)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("'required'");
  }

  @ParameterizedTest
  @EnumSource(names = {"V2_0", "V2_1"})
  void aColumnThatWasWrittenAnewComesFromTheNewFile(FileVersion version) {
    LanceField a = number(0, "a");
    LanceField b = number(1, "b");
    DataFile old = write(version, 1, a, b).withFieldIds(List.of(0, DataFile.TOMBSTONE));
    FragmentMetadata fragment = fragment(old, write(version, 2, b));

    List<Map<String, Object>> rows = scan(schema(a, b), fragment, schema(a, b));

    assertThat(rows.get(5)).containsEntry("a", value(1, 0, 5)).containsEntry("b", value(2, 1, 5));
  }

  @ParameterizedTest
  @EnumSource(names = {"V2_0", "V2_1"})
  void aStructMayBeSpreadOverFiles(FileVersion version) {
    LanceField x = number(3, "x");
    LanceField y = number(4, "y");
    LanceField z = number(5, "z");
    LanceField nowhere = number(6, "nowhere");
    FragmentMetadata fragment =
        fragment(write(version, 1, struct(2, "s", x, y)), write(version, 2, struct(2, "s", z)));
    LanceSchema whole = schema(struct(2, "s", z, nowhere, x, y));

    List<Map<String, Object>> rows = scan(whole, fragment, whole);

    Map<String, Object> expected = new LinkedHashMap<>();
    expected.put("z", value(2, 5, 6));
    expected.put("x", value(1, 3, 6));
    expected.put("y", value(1, 4, 6));
    assertThat(rows.get(6)).containsEntry("s", expected);
  }

  @Test
  void deletedRowsAreLeftOut() {
    LanceField a = number(0, "a");
    FragmentMetadata plain = fragment(write(FileVersion.V2_1, 1, a));
    DeletionVector deleted = DeletionVector.NONE.plus(RoaringBitmap.bitmapOf(0, 5, 6, 7, 13, 19));
    FragmentMetadata fragment =
        plain.withDeletionFile(Optional.of(DeletionFiles.write(table, plain, 1, deleted)));

    List<Map<String, Object>> rows = scan(schema(a), fragment, schema(a));

    assertThat(rows.stream().map(row -> row.get("a")))
        .isEqualTo(
            IntStream.range(0, ROWS)
                .filter(row -> !deleted.contains(row))
                .mapToObj(row -> (Object) value(1, 0, row))
                .toList());
  }

  @Test
  void rowsAreTakenInAnyOrder() {
    LanceField a = number(0, "a");
    LanceField b = number(1, "b");
    FragmentMetadata fragment =
        fragment(write(FileVersion.V2_1, 1, a), write(FileVersion.V2_1, 2, b));
    long[] offsets = {7, 2, 2, 19};

    try (FragmentReader reader =
        FragmentReader.open(version(schema(a, b), fragment), fragment, schema(b, a), session)) {
      List<ArrayData> taken = reader.take(offsets, allocator);
      List<ArrayData> read = reader.read(RowRanges.ofSortedRows(new long[] {2, 7, 8}), allocator);
      try {
        assertThat(numbers(taken.get(0)))
            .isEqualTo(Arrays.stream(offsets).mapToObj(row -> value(2, 1, (int) row)).toList());
        assertThat(numbers(read.get(1)))
            .containsExactly(value(1, 0, 2), value(1, 0, 7), value(1, 0, 8));
      } finally {
        taken.forEach(ArrayData::close);
        read.forEach(ArrayData::close);
      }
    }
  }

  private static List<Integer> numbers(ArrayData array) {
    return IntStream.range(0, array.length())
        .mapToObj(i -> array.buffer(1).getInt(4L * i))
        .toList();
  }

  @Test
  void rowsCanBeCountedWithoutColumns() {
    FragmentMetadata fragment = Tables.fragment("absent.lance", 12);

    try (FragmentReader reader =
        FragmentReader.open(version(Tables.SCHEMA, fragment), fragment, schema(), session)) {
      assertThat(reader.liveRows()).isEqualTo(12);
    }
  }

  @Test
  void aMissingDataFileIsNamedTogetherWithTheManifest() {
    FragmentMetadata fragment = Tables.fragment("absent.lance", ROWS);

    assertThatThrownBy(() -> scan(Tables.SCHEMA, fragment, Tables.SCHEMA))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("data/absent.lance")
        .hasMessageContaining(ManifestNaming.V2.fileName(1));
  }

  @Test
  void aMissingDeletionFileIsNamedTogetherWithTheManifest() {
    LanceField a = number(0, "a");
    FragmentMetadata fragment =
        fragment(write(FileVersion.V2_1, 1, a))
            .withDeletionFile(
                Optional.of(
                    new DeletionFile(DeletionFile.Form.BITMAP, 1, 5, 1, OptionalInt.empty())));

    assertThatThrownBy(() -> scan(schema(a), fragment, schema(a)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("_deletions/3-1-5.bin")
        .hasMessageContaining(ManifestNaming.V2.fileName(1));
  }

  @Test
  void aFileWithAnotherNumberOfRowsIsCorrupt() {
    LanceField a = number(0, "a");
    FragmentMetadata fragment = fragment(write(FileVersion.V2_1, 1, a)).withPhysicalRows(ROWS + 1);

    assertThatThrownBy(() -> scan(schema(a), fragment, schema(a)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("20 rows")
        .hasMessageContaining("21");
  }

  @Test
  void filesMayLieInAnotherBase() {
    LanceField a = number(0, "a");
    Table other = Table.at(ObjectStores.resolve(folder.toString()));
    DataFile file = write(FileVersion.V2_1, 1, a);
    other
        .store()
        .put(
            other.dataPath(file.path()),
            table.store().open(table.dataPath(file.path())).read(0, (int) file.sizeBytes()));
    table.store().delete(table.dataPath(file.path()));

    assertThat(scan(schema(a), fragment(inBase(file, 7)), schema(a))).hasSize(ROWS);
    assertThatThrownBy(() -> scan(schema(a), fragment(inBase(file, 8)), schema(a)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("base path 8");
  }

  private static DataFile inBase(DataFile file, int base) {
    return new DataFile(
        file.path(),
        file.fieldIds(),
        file.columnIndices(),
        file.majorVersion(),
        file.minorVersion(),
        file.sizeBytes(),
        OptionalInt.of(base));
  }
}
