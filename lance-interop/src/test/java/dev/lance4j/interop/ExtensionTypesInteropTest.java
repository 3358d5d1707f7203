package dev.lance4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Extension types, which are plain types with metadata that both libraries keep. */
@WithOracle
class ExtensionTypesInteropTest {
  private static final int ROWS = 300;
  private static final List<Field> FIELDS =
      List.of(
          SampleFields.fixedSizeList(
              "v", 4, extension("item", new ArrowType.FixedSizeBinary(2), "lance.bfloat16", "")),
          extension("u", new ArrowType.FixedSizeBinary(16), "test.id", "{\"bits\":128}"),
          extension("t", ArrowType.Utf8.INSTANCE, "test.tag", "a b"),
          SampleFields.struct("s", extension("x", new ArrowType.Int(32, true), "test.metres", "")));

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private static Field extension(String name, ArrowType storage, String type, String metadata) {
    return new Field(
        name,
        new FieldType(
            true,
            storage,
            null,
            Map.of("ARROW:extension:name", type, "ARROW:extension:metadata", metadata)),
        null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1"})
  void bothKeepValuesAndNamesOfTheOther(String version) {
    NullPattern nulls = version.equals("2.0") ? NullPattern.NONE : NullPattern.SOME;
    try (ArrowTable rows = RandomData.table(FIELDS, nulls, ROWS, 3, allocator)) {
      String theirs = folder.resolve("theirs.lance").toString();
      oracle.create(theirs, version, rows);
      check(theirs, rows);
      String ours = folder.resolve("ours.lance").toString();
      Dataset.write(ours)
          .allocator(allocator)
          .fileVersion(FileVersion.parse(version))
          .from(rows.root())
          .close();
      check(ours, rows);
    }
  }

  private void check(String uri, ArrowTable rows) {
    OpenOptions options = OpenOptions.builder().allocator(allocator).build();
    try (Dataset dataset = Dataset.open(uri, options);
        ArrowTable read = Tables.drain(dataset.scan().open(), allocator);
        ArrowTable theirs = oracle.scan(uri, allocator)) {
      TableAssert.assertEqual(rows, read);
      TableAssert.assertEqual(rows, theirs);
      for (Schema schema : List.of(dataset.schema(), dataset.scan().schema(), oracle.schema(uri))) {
        checkNames(FIELDS, schema.getFields());
      }
    }
  }

  private static void checkNames(List<Field> expected, List<Field> actual) {
    assertThat(actual).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(actual.get(i).getMetadata()).isEqualTo(expected.get(i).getMetadata());
      checkNames(expected.get(i).getChildren(), actual.get(i).getChildren());
    }
  }
}
