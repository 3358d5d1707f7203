package dev.lance4j;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.schema.FieldPath;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.index.IndexOptions;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.testing.RandomConditions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.SeekableReadChannel;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The filters whose answers are compared with the real library's elsewhere give the same rows when
 * there are indices on all columns.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IndexedFilterCasesTest {
  private static final String RESOURCES = "/dev/lance4j/scan/expr/";
  private static final int ROWS_PER_FRAGMENT = 10;

  private final BufferAllocator allocator = new RootAllocator();
  private final List<Dataset> tables = new ArrayList<>();

  /** For each kind of index a table with an index on each column, and one with all kinds. */
  @BeforeAll
  void create() throws IOException {
    List<ScalarIndexSpec> kinds = IndexKindsUnderTest.all();
    for (ScalarIndexSpec kind : kinds) {
      tables.add(indexed(table(false), kind::equals));
    }
    tables.add(indexed(table(true), kind -> true));
    for (Dataset table : tables) {
      assertThat(table.describeIndices()).isNotEmpty();
    }
  }

  private Dataset table(boolean stableRowIds) throws IOException {
    try (InputStream in =
            RandomConditions.class.getResourceAsStream(RESOURCES + "filter-table.arrow");
        ArrowFileReader reader =
            new ArrowFileReader(
                new SeekableReadChannel(
                    new ByteArrayReadableSeekableByteChannel(in.readAllBytes())),
                allocator)) {
      return Dataset.write("table")
          .store(new MemoryObjectStore())
          .allocator(allocator)
          .stableRowIds(stableRowIds)
          .maxRowsPerFile(ROWS_PER_FRAGMENT)
          .from(reader);
    }
  }

  private Dataset indexed(Dataset table, Predicate<ScalarIndexSpec> chosen) {
    Dataset indexed = table;
    for (Field field : table.schema().getFields()) {
      indexed = indexed(indexed, List.of(field.getName()), field, chosen);
    }
    return indexed;
  }

  private Dataset indexed(
      Dataset table, List<String> path, Field field, Predicate<ScalarIndexSpec> chosen) {
    Dataset indexed = table;
    for (ScalarIndexSpec kind : IndexKindsUnderTest.all()) {
      if (chosen.test(kind)) {
        indexed = indexed(indexed, path, kind);
      }
    }
    if (field.getType() instanceof ArrowType.Struct) {
      for (Field child : field.getChildren()) {
        List<String> below = new ArrayList<>(path);
        below.add(child.getName());
        indexed = indexed(indexed, below, child, chosen);
      }
    }
    return indexed;
  }

  private static Dataset indexed(Dataset table, List<String> path, ScalarIndexSpec kind) {
    String column = FieldPath.format(path);
    IndexOptions options = IndexOptions.builder().name(column + " by " + kind).build();
    try {
      Dataset indexed = table.createIndex(column, kind, options);
      table.close();
      return indexed;
    } catch (InvalidInputException e) {
      // The kind does not go with the type of the column.
      return table;
    }
  }

  @AfterAll
  void close() {
    tables.forEach(Dataset::close);
    allocator.close();
  }

  static Stream<String> filters() throws IOException {
    List<String> lines = new ArrayList<>();
    Path all = Path.of(System.getProperty("lance4j.spec", ""), "filter-cases.tsv");
    if (Files.isRegularFile(all)) {
      lines.addAll(Files.readAllLines(all));
    } else {
      try (InputStream in =
          RandomConditions.class.getResourceAsStream(RESOURCES + "filter-sample.tsv")) {
        lines.addAll(new String(in.readAllBytes(), UTF_8).lines().toList());
      }
    }
    return lines.stream().skip(1).map(line -> unescaped(line.split("\t", -1)[2]));
  }

  private static String unescaped(String text) {
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        c = text.charAt(++i);
        result.append(c == 't' ? '\t' : c == 'n' ? '\n' : c);
      } else {
        result.append(c);
      }
    }
    return result.toString();
  }

  @ParameterizedTest
  @MethodSource("filters")
  void indicesDoNotChangeTheRows(String filter) {
    for (Dataset table : tables) {
      Scan scan;
      try {
        scan = table.scan().select("id").where(filter);
      } catch (InvalidInputException e) {
        continue;
      }
      IndexedScans.requireSame(scan, allocator);
    }
  }
}
