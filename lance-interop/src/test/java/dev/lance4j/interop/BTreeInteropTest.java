package dev.lance4j.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.expr.Literals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.types.pojo.Field;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** BTree indices of both libraries on the same rows are the same, and each searches the other's. */
@WithOracle
class BTreeInteropTest {
  private static final List<String> COLUMNS =
      List.of(
          "int8",
          "int16",
          "int32",
          "int64",
          "uint8",
          "uint16",
          "uint32",
          "uint64",
          "float32",
          "float64",
          "bool",
          "decimal128_small",
          "date32",
          "timestamp_us",
          "utf8",
          "large_utf8",
          "binary");
  private static final String ROW_ID = "_rowid";
  private static final int PAGE_ROWS = 8;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private String ours() {
    return folder.resolve("ours.lance").toString();
  }

  private String theirs() {
    return folder.resolve("theirs.lance").toString();
  }

  private Dataset open(String uri) {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  private ArrowTable rows(int count, long seed) {
    List<Field> fields =
        SampleFields.of(FileVersion.V2_1).stream()
            .filter(field -> COLUMNS.contains(field.getName()))
            .toList();
    return RandomData.table(fields, NullPattern.SOME, count, seed, allocator);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eachLibrarySearchesTheIndicesOfTheOther(boolean stable) throws IOException {
    try (ArrowTable rows = rows(200, 3);
        ArrowTable more = rows(70, 4)) {
      ObjectNode args = Oracle.args(ours()).put("stableRowIds", stable).put("maxRowsPerFile", 100);
      oracle.send("write", args, rows);
      oracle.delete(ours(), "int32 % 7 = 3");
      copy(folder.resolve("ours.lance"), folder.resolve("theirs.lance"));
      for (String column : COLUMNS) {
        try (Dataset dataset = open(ours())) {
          dataset.createIndex(column, ScalarIndexSpec.btree().withRowsPerPage(PAGE_ROWS)).close();
        }
        ObjectNode index = Oracle.args(theirs()).put("type", "BTREE").put("scalar", "btree");
        index.putArray("columns").add(column);
        index.putObject("params").put("zone_size", PAGE_ROWS);
        oracle.call("createIndex", index);
      }
      assertSame(rows);

      oracle.append(ours(), more);
      oracle.append(theirs(), more);
      try (Dataset dataset = open(ours())) {
        dataset.optimizeIndices(OptimizeOptions.defaults()).close();
      }
      oracle.call("optimizeIndices", Oracle.args(theirs()));
      assertSame(more);
    }
    assertTheIndexIsUsed();
  }

  /** Both tables have the same indices, by which both libraries find the same rows. */
  private void assertSame(ArrowTable values) throws IOException {
    SoftAssertions softly = new SoftAssertions();
    try (Dataset a = open(ours());
        Dataset b = open(theirs())) {
      for (String column : COLUMNS) {
        String index = column + "_idx";
        assertSameLookup(a, b, index);
        softly
            .assertThat(statistics(oracle, ours(), index))
            .as(column)
            .isEqualTo(statistics(oracle, theirs(), index))
            .isEqualTo(statistics(a.indexStatistics(index)));
        for (String filter : filters(values.column(column))) {
          Set<Long> truth = found(oracle, theirs(), filter, false);
          softly.assertThat(found(oracle, ours(), filter, true)).as(filter).isEqualTo(truth);
          softly.assertThat(found(oracle, theirs(), filter, true)).as(filter).isEqualTo(truth);
          softly.assertThat(found(a, filter, softly)).as(filter).isEqualTo(truth);
          softly.assertThat(found(b, filter, softly)).as(filter).isEqualTo(truth);
        }
      }
    }
    softly.assertAll();
  }

  private void assertSameLookup(Dataset a, Dataset b, String index) {
    try (ArrowTable ours = lookup(a, ours(), index);
        ArrowTable theirs = lookup(b, theirs(), index)) {
      TableAssert.assertEqual(theirs, ours);
    }
  }

  private ArrowTable lookup(Dataset dataset, String uri, String index) {
    try (LanceFileReader reader =
        LanceFileReader.open(
            segment(dataset, uri, index).resolve("page_lookup.lance").toString())) {
      assertThat(reader.metadata()).containsEntry("batch_size", Integer.toString(PAGE_ROWS));
      return Tables.drain(reader.scan().open(allocator), allocator);
    }
  }

  private static Path segment(Dataset dataset, String uri, String index) {
    String uuid =
        dataset.describeIndices().stream()
            .filter(each -> each.name().equals(index))
            .map(each -> each.segments().get(0).uuid().toString())
            .findFirst()
            .orElseThrow();
    return Path.of(uri).resolve("_indices").resolve(uuid);
  }

  private static JsonNode statistics(Oracle oracle, String uri, String index) throws IOException {
    JsonNode statistics = oracle.call("indexStatistics", Oracle.args(uri).put("name", index));
    return statistics(statistics.isTextual() ? statistics.asText() : statistics.toString());
  }

  private static JsonNode statistics(String json) throws JsonProcessingException {
    ObjectNode statistics = (ObjectNode) JSON.readTree(json);
    return statistics.without("updated_at_timestamp_ms");
  }

  private Set<Long> found(Oracle library, String uri, String filter, boolean indexed) {
    ObjectNode args = Oracle.args(uri).put("filter", filter).put("useScalarIndex", indexed);
    args.put("withRowId", true).putArray("columns").add("int32");
    try (ArrowTable table = library.fetch("scan", args, allocator)) {
      return rowIds(table);
    }
  }

  private Set<Long> found(Dataset dataset, String filter, SoftAssertions softly) {
    Scan scan = dataset.scan().select("int32").withRowId().where(filter);
    // Of answers that must be checked, because another writer merged stable ids or a literal was
    // rounded, nothing follows for the opposite condition.
    boolean isOpposite = filter.contains("NOT") || filter.contains("!=");
    if (!isOpposite) {
      softly.assertThat(scan.explain()).as(filter).contains("BTree");
    }
    try (ArrowTable table = Tables.drain(scan.open(), allocator)) {
      return rowIds(table);
    }
  }

  private static Set<Long> rowIds(ArrowTable table) {
    UInt8Vector ids = (UInt8Vector) table.column(ROW_ID);
    Set<Long> rowIds = new TreeSet<>();
    for (int i = 0; i < ids.getValueCount(); i++) {
      assertThat(rowIds.add(ids.get(i))).isTrue();
    }
    return rowIds;
  }

  private static List<String> filters(FieldVector values) {
    String name = values.getName();
    List<String> filters = new ArrayList<>(List.of(name + " IS NULL", name + " IS NOT NULL"));
    List<String> literals = new ArrayList<>();
    for (int row = 0; row < values.getValueCount() && literals.size() < 4; row++) {
      String literal = values.isNull(row) ? null : literal(values, row);
      if (literal != null && !literals.contains(literal)) {
        literals.add(literal);
      }
    }
    for (String literal : literals) {
      for (String operator : List.of("=", "!=", "<", "<=", ">", ">=")) {
        filters.add(name + " " + operator + " " + literal);
      }
      filters.add("NOT (" + name + " > " + literal + ")");
    }
    if (literals.size() > 1) {
      filters.add(name + " BETWEEN " + literals.get(0) + " AND " + literals.get(1));
      filters.add(name + " >= " + literals.get(1) + " AND " + name + " < " + literals.get(0));
      filters.add(name + " IN (" + String.join(", ", literals) + ")");
      filters.add(name + " NOT IN (" + String.join(", ", literals) + ")");
    }
    return filters;
  }

  /** A literal that both libraries take for the value; null if there is none. */
  private static String literal(FieldVector values, int row) {
    Object value = values.getObject(row);
    if (values instanceof UInt1Vector numbers) {
      value = numbers.get(row) & 0xFF;
    } else if (values instanceof UInt2Vector numbers) {
      value = (int) numbers.get(row);
    } else if (values instanceof UInt4Vector numbers) {
      value = Integer.toUnsignedLong(numbers.get(row));
    } else if (values instanceof UInt8Vector numbers) {
      value = numbers.get(row) < 0 ? null : numbers.get(row);
    } else if (values instanceof DateDayVector days) {
      LocalDate day = LocalDate.ofEpochDay(days.get(row));
      value = day.getYear() > 0 && day.getYear() < 9999 ? day : null;
    } else if (value instanceof LocalDateTime time) {
      value = time.getYear() > 1700 && time.getYear() < 2200 ? time : null;
    } else if (value instanceof Float number) {
      value = Math.abs(number) < 1e6 ? number.doubleValue() : null;
    } else if (value instanceof Double number) {
      value = Math.abs(number) < 1e6 ? number : null;
    } else if (!(value instanceof Number || value instanceof byte[] || value instanceof Boolean)) {
      // The real library's binding does not take characters beyond the basic plane.
      String text = value.toString();
      value = text.codePointCount(0, text.length()) == text.length() ? text : null;
    }
    return value == null ? null : Literals.of(value);
  }

  /** The real library cannot answer once the pages of our index are gone. */
  private void assertTheIndexIsUsed() throws IOException {
    String damaged = folder.resolve("damaged.lance").toString();
    copy(folder.resolve("ours.lance"), folder.resolve("damaged.lance"));
    try (Dataset dataset = open(damaged)) {
      Files.delete(segment(dataset, damaged, "int16_idx").resolve("page_data.lance"));
    }
    assertThatThrownBy(() -> found(oracle, damaged, "int16 IS NOT NULL AND int16 > 7", true))
        .hasMessageContaining("page_data.lance");
    assertThat(found(oracle, damaged, "int16 IS NOT NULL", false)).isNotEmpty();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
  }
}
