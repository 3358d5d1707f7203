package dev.lance4j.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns of JSON: text for users, binary in files. */
@WithOracle
class JsonInteropTest {
  private static final Field JSON =
      new Field(
          "j",
          new FieldType(
              true, ArrowType.Utf8.INSTANCE, null, Map.of("ARROW:extension:name", "arrow.json")),
          null);
  // As JSON is given back: keys in order and no spaces.
  private static final List<String> TEXTS =
      Arrays.asList("{\"a\":[1,-2.5,\"x\"],\"b\":null}", null, "[]", "\"é\\n\"", "true", "7");

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private ArrowTable table(List<String> texts) {
    VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(List.of(JSON)), allocator);
    VarCharVector vector = (VarCharVector) root.getVector(0);
    for (int i = 0; i < texts.size(); i++) {
      if (texts.get(i) == null) {
        vector.setNull(i);
      } else {
        vector.setSafe(i, texts.get(i).getBytes(UTF_8));
      }
    }
    root.setRowCount(texts.size());
    return new ArrowTable(root, new MapDictionaryProvider());
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1"})
  void bothAppendToAndReadTheOthers(String version) {
    OpenOptions options = OpenOptions.builder().allocator(allocator).build();
    String ours = folder.resolve("ours.lance").toString();
    String theirs = folder.resolve("theirs.lance").toString();
    try (ArrowTable rows = table(TEXTS);
        ArrowTable twice = Tables.concat(rows, rows, allocator)) {
      Dataset.write(ours)
          .allocator(allocator)
          .fileVersion(FileVersion.parse(version))
          .from(rows.root())
          .close();
      oracle.append(ours, rows);
      oracle.create(theirs, version, rows);
      try (Dataset dataset = Dataset.open(theirs, options)) {
        dataset.append(rows.root()).close();
      }
      for (String uri : List.of(ours, theirs)) {
        try (Dataset dataset = Dataset.open(uri, options);
            ArrowTable read = Tables.drain(dataset.scan().open(), allocator);
            ArrowTable seen = oracle.scan(uri, allocator)) {
          TableAssert.assertEqual(twice, read);
          TableAssert.assertEqual(twice, seen);
          String name = "ARROW:extension:name";
          assertThat(read.column("j").getField().getMetadata()).containsEntry(name, "arrow.json");
          assertThat(dataset.schema().findField("j").getMetadata())
              .containsEntry(name, "lance.json");
          assertThat(dataset.scan().where("json_exists(j, '$.a')").count()).isEqualTo(2);
        }
      }
      assertThat(oracle.schema(ours)).isEqualTo(oracle.schema(theirs));
    }
  }

  @Test
  void whatIsNotJsonIsRefusedAndLeavesNothingBehind() {
    String uri = folder.resolve("bad.lance").toString();
    try (ArrowTable rows = table(List.of("1", "{a:1}"))) {
      assertThatThrownBy(() -> Dataset.write(uri).allocator(allocator).from(rows.root()))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("Column 'j', row 1");
    }
    Schema nested = new Schema(List.of(SampleFields.struct("s", JSON)));
    assertThatThrownBy(() -> Dataset.write(uri).allocator(allocator).from(nested))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("'s.j' is JSON text inside of another column");
    assertThat(folder.resolve("bad.lance/_versions")).doesNotExist();
  }
}
