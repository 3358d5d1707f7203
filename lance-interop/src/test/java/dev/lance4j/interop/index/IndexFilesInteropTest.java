package dev.lance4j.interop.index;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.OracleError;
import dev.lance4j.interop.oracle.WithOracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** For the same rows both libraries write the same index files, whatever the type. */
@WithOracle
class IndexFilesInteropTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String OURS_ONLY = "lance4j:live_rows";

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  /** Columns of values; those of words from a dictionary we do not index. */
  private static Stream<Field> fields() {
    return SampleFields.of(FileVersion.V2_1).stream()
        .filter(field -> field.getChildren().isEmpty())
        .filter(field -> field.getDictionary() == null)
        .filter(field -> !(field.getType() instanceof ArrowType.Null))
        .map(
            field ->
                new Field("c", new FieldType(true, field.getType(), field.getDictionary()), null));
  }

  private static Stream<Field> lists() {
    return fields()
        .map(
            item ->
                new Field(
                    "c",
                    FieldType.nullable(ArrowType.List.INSTANCE),
                    List.of(new Field("item", item.getFieldType(), null))));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void bitmaps(Field field) throws Exception {
    compare(field, "BITMAP", "bitmap", "{}", ScalarIndexSpec.bitmap(), "bitmap_page_lookup.lance");
  }

  @ParameterizedTest
  @MethodSource("lists")
  void labelLists(Field field) throws Exception {
    compare(
        field,
        "LABEL_LIST",
        "labellist",
        "{}",
        ScalarIndexSpec.labelList(),
        "bitmap_page_lookup.lance");
  }

  @ParameterizedTest
  @MethodSource("fields")
  void zoneMaps(Field field) throws Exception {
    compare(
        field,
        "ZONEMAP",
        "zonemap",
        "{\"rows_per_zone\":7}",
        ScalarIndexSpec.zoneMap().withRowsPerZone(7),
        "zonemap.lance");
  }

  @ParameterizedTest
  @MethodSource("fields")
  void bloomFilters(Field field) throws Exception {
    compare(
        field,
        "BLOOM_FILTER",
        "bloomfilter",
        "{\"number_of_items\":7,\"probability\":0.01}",
        ScalarIndexSpec.bloomFilter().withRowsPerZone(7).withProbability(0.01),
        "bloomfilter.lance");
  }

  private void compare(
      Field field, String type, String name, String params, ScalarIndexSpec spec, String file)
      throws IOException {
    Path ours = folder.resolve("ours.lance");
    Path theirs = folder.resolve("theirs.lance");
    create(ours, field);
    copy(ours, theirs);
    Optional<String> refusal = indexTheirs(theirs, type, name, params);
    try (Dataset dataset = IndexedTables.open(ours.toString(), allocator)) {
      dataset.createIndex("c", spec).close();
      assertThat(refusal).as("refused by the real library only").isEmpty();
    } catch (InvalidInputException e) {
      assertThat(refusal).as("refused by us only: " + e.getMessage()).isPresent();
      return;
    }
    try (LanceFileReader ourFile = open(ours, file);
        LanceFileReader theirFile = open(theirs, file)) {
      assertThat(columns(ourFile)).isEqualTo(columns(theirFile));
      assertThat(metadata(ourFile)).isEqualTo(metadata(theirFile));
      assertThat(rows(ourFile)).containsExactlyInAnyOrderElementsOf(rows(theirFile));
      assertThat(buffers(ourFile)).isEqualTo(buffers(theirFile));
    }
  }

  private void create(Path path, Field field) {
    List<Field> fields = List.of(field, SampleFields.int32("k"));
    try (ArrowTable rows = RandomData.table(fields, NullPattern.SOME, 120, 11, allocator);
        Dataset written =
            Dataset.write(path.toString())
                .allocator(allocator)
                .maxRowsPerFile(50)
                .from(rows.root(), rows.dictionaries())) {
      written.delete("k % 9 = 4").dataset().close();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  private Optional<String> indexTheirs(Path path, String type, String name, String params)
      throws IOException {
    ObjectNode args = Oracle.args(path.toString()).put("type", type).put("scalar", name);
    args.putArray("columns").add("c");
    args.set("params", JSON.readTree(params));
    try {
      oracle.call("createIndex", args);
      return Optional.empty();
    } catch (OracleError e) {
      return Optional.of(e.getMessage());
    }
  }

  private static LanceFileReader open(Path table, String name) throws IOException {
    try (Stream<Path> files = Files.walk(table.resolve("_indices"))) {
      return LanceFileReader.open(
          files.filter(file -> file.endsWith(name)).findFirst().orElseThrow().toString());
    }
  }

  private static List<String> columns(LanceFileReader file) {
    return file.schema().fields().stream()
        .map(column -> column.name() + " " + column.logicalType() + " " + column.nullable())
        .toList();
  }

  private static Map<String, String> metadata(LanceFileReader file) {
    Map<String, String> metadata = new TreeMap<>(file.metadata());
    metadata.remove(OURS_ONLY);
    return metadata;
  }

  private static List<String> buffers(LanceFileReader file) {
    List<String> buffers = new ArrayList<>();
    for (int i = 1; i < file.globalBufferCount(); i++) {
      byte[] bytes = new byte[file.globalBuffer(i).remaining()];
      file.globalBuffer(i).get(bytes);
      buffers.add(HexFormat.of().formatHex(bytes));
    }
    return buffers;
  }

  private List<String> rows(LanceFileReader file) {
    List<String> rows = new ArrayList<>();
    try (ArrowTable table = Tables.drain(file.scan().open(allocator), allocator)) {
      for (int row = 0; row < table.rowCount(); row++) {
        StringBuilder text = new StringBuilder();
        for (FieldVector vector : table.root().getFieldVectors()) {
          Object value = vector.getObject(row);
          text.append(value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value)
              .append(' ');
        }
        rows.add(text.toString());
      }
    }
    return rows;
  }
}
