package dev.lance4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.PushedNulls;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.DictionaryUtility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files of version 2.0 are read and written the same way by both libraries. */
@WithOracle
class V20FileInteropTest {
  private static final String VERSION = "2.0";

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  static List<Field> fields() {
    return SampleFields.of(FileVersion.V2_0);
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @ParameterizedTest
  @MethodSource("fields")
  void whatWeWriteTheRealLibraryReads(Field field) {
    for (NullPattern nulls : NullPattern.values()) {
      Path file = folder.resolve(nulls + ".lance");
      try (ArrowTable table = RandomData.table(List.of(field), nulls, 1000, 7, allocator)) {
        write(file, table);
        pushNulls(table);
        try (ArrowTable read = oracle.readFile(file, allocator)) {
          TableAssert.assertEqual(table, read);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("fields")
  void whatTheRealLibraryWritesWeRead(Field field) {
    for (NullPattern nulls : NullPattern.values()) {
      Path file = folder.resolve(nulls + ".lance");
      try (ArrowTable table = RandomData.table(List.of(field), nulls, 1000, 7, allocator)) {
        pushNulls(table);
        oracle.writeFile(file, VERSION, table);
        try (LanceFileReader reader = LanceFileReader.open(file.toString());
            ArrowTable read = Tables.drain(reader.scan().open(allocator), allocator)) {
          TableAssert.assertEqual(table, read);
        }
      }
    }
  }

  @Test
  void packedStructsAndBlobsAreTheSameBytes() throws IOException {
    Field packed =
        new Field(
            "p",
            new FieldType(true, ArrowType.Struct.INSTANCE, null, Map.of("packed", "true")),
            List.of(
                SampleFields.int32("a"),
                SampleFields.fixedSizeList("v", 3, SampleFields.float32("item")),
                SampleFields.int64("b")));
    Field blob =
        new Field(
            "b",
            new FieldType(
                true, ArrowType.LargeBinary.INSTANCE, null, Map.of("lance-encoding:blob", "true")),
            null);
    for (Field field : List.of(packed, blob)) {
      Path ours = folder.resolve("ours-" + field.getName());
      Path theirs = folder.resolve("theirs-" + field.getName());
      NullPattern nulls = field.equals(packed) ? NullPattern.NONE : NullPattern.SOME;
      try (ArrowTable table = RandomData.table(List.of(field), nulls, 50, 7, allocator)) {
        write(ours, table);
        oracle.writeFile(theirs, VERSION, table);
        assertThat(ours).hasSameBinaryContentAs(theirs);
        try (LanceFileReader reader = LanceFileReader.open(theirs.toString());
            ArrowTable read = Tables.drain(reader.scan().open(allocator), allocator)) {
          TableAssert.assertEqual(table, read);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("fields")
  void smallFilesAreTheSameBytes(Field field) throws IOException {
    for (NullPattern nulls : NullPattern.values()) {
      Path ours = folder.resolve("ours-" + nulls + ".lance");
      Path theirs = folder.resolve("theirs-" + nulls + ".lance");
      try (ArrowTable random = RandomData.table(List.of(field), nulls, 50, 7, allocator)) {
        pushNulls(random);
        // Without what lies under nulls, of which the real library writes more.
        ArrowTable table =
            random.dictionaries().getDictionaryIds().isEmpty()
                ? Tables.decoded(random, allocator)
                : random;
        try (table) {
          write(ours, table);
          oracle.writeFile(theirs, VERSION, table);
        }
      }
      assertThat(ours).hasSameBinaryContentAs(theirs);
    }
  }

  private static void pushNulls(ArrowTable table) {
    table.root().getFieldVectors().forEach(PushedNulls::apply);
  }

  private void write(Path file, ArrowTable table) {
    List<Field> fields = new ArrayList<>();
    Set<Long> seen = new HashSet<>();
    for (Field field : table.root().getSchema().getFields()) {
      fields.add(DictionaryUtility.toMessageFormat(field, table.dictionaries(), seen));
    }
    try (LanceFileWriter writer =
        LanceFileWriter.create(file.toString(), new Schema(fields), FileVersion.V2_0, allocator)) {
      writer.write(table.root(), table.dictionaries());
      writer.finish();
    }
    assertThat(Files.exists(file)).isTrue();
  }
}
