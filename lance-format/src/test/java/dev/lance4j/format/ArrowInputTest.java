package dev.lance4j.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.PushedNulls;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.TableBuilder;
import dev.lance4j.format.testing.Tables;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.DictionaryUtility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Vectors as other programs give them. */
class ArrowInputTest {
  private static final int ROWS = 1_000;

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  static Stream<FileVersion> versions() {
    return Stream.of(FileVersion.V2_0, FileVersion.V2_1, FileVersion.V2_2);
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @ParameterizedTest
  @MethodSource("versions")
  void slicesOfAStreamsBatchesAreWrittenAsWhatTheyAre(FileVersion version) throws IOException {
    byte[] stream = stream(SampleFields.of(version));
    try (ArrowStreamReader reader = reader(stream);
        TableBuilder builder = new TableBuilder(allocator)) {
      assertThat(reader.loadNextBatch()).isTrue();
      VectorSchemaRoot batch = reader.getVectorSchemaRoot();
      try (LanceFileWriter writer =
          LanceFileWriter.create(file(), messageSchema(reader), version, allocator)) {
        SplittableRandom random = new SplittableRandom(5);
        for (int from = 3; from < ROWS; ) {
          int count = Math.min(ROWS - from, 1 + random.nextInt(150));
          try (VectorSchemaRoot slice = batch.slice(from, count)) {
            writer.write(slice, reader);
          }
          builder.append(batch, reader, from, from + count);
          // Leaves rows out, so that the slices are no whole.
          from += count + random.nextInt(3);
        }
        writer.finish();
      }
      try (ArrowTable expected = builder.build()) {
        checkFile(version, expected);
      }
    }
  }

  private byte[] stream(List<Field> fields) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ArrowTable table = RandomData.table(fields, NullPattern.SOME, ROWS, 3, allocator);
        ArrowStreamWriter writer =
            new ArrowStreamWriter(table.root(), table.dictionaries(), bytes)) {
      writer.writeBatch();
      writer.end();
    }
    return bytes.toByteArray();
  }

  private ArrowStreamReader reader(byte[] stream) {
    return new ArrowStreamReader(new ByteArrayInputStream(stream), allocator);
  }

  private static Schema messageSchema(ArrowStreamReader reader) throws IOException {
    List<Field> fields = new ArrayList<>();
    for (Field field : reader.getVectorSchemaRoot().getSchema().getFields()) {
      fields.add(DictionaryUtility.toMessageFormat(field, reader, new HashSet<>()));
    }
    return new Schema(fields);
  }

  private String file() {
    return folder.resolve("file.lance").toString();
  }

  private void checkFile(FileVersion version, ArrowTable expected) {
    if (version == FileVersion.V2_0) {
      expected.root().getFieldVectors().forEach(PushedNulls::apply);
    }
    try (LanceFileReader reader = LanceFileReader.open(file());
        ArrowTable read = Tables.drain(reader.scan().open(allocator), allocator)) {
      TableAssert.assertEqual(expected, read);
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void structsOfNothingButNullsKeepTheirOwnNulls(FileVersion version) {
    Field nothing = SampleFields.scalar("n", ArrowType.Null.INSTANCE);
    List<Field> fields =
        List.of(
            SampleFields.struct("one", nothing),
            SampleFields.struct("two", nothing, SampleFields.int32("i")),
            SampleFields.struct("deep", SampleFields.struct("s", nothing)),
            SampleFields.list("list", SampleFields.struct("item", nothing)));
    for (NullPattern nulls : NullPattern.values()) {
      try (ArrowTable table = RandomData.table(fields, nulls, ROWS, 7, allocator);
          LanceFileWriter writer =
              LanceFileWriter.create(file(), table.root().getSchema(), version, allocator)) {
        writer.write(table.root());
        writer.finish();
        checkFile(version, table);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void aDictionaryFieldOfTheTypeOfItsKeysIsRefusedBeforeAnythingIsWritten(FileVersion version) {
    Field keys = SampleFields.dictionary("d", 1, 16, true);
    for (Field field : List.of(keys, SampleFields.struct("s", keys))) {
      assertThatThrownBy(
              () -> LanceFileWriter.create(file(), new Schema(List.of(field)), version, allocator))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("'d'")
          .hasMessageContaining("the type of its dictionary's values");
    }
    assertThat(folder).isEmptyDirectory();
  }
}
