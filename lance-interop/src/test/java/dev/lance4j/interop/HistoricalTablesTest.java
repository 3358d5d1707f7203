package dev.lance4j.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.IpcFiles;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables that old releases wrote give the rows that the real library reads today. */
class HistoricalTablesTest {
  private static final Path TABLES = Path.of(System.getProperty("lance4j.data"), "historical");
  private static final String ROW_ID = "_rowid";
  private static final String EXPECTED = ".expected.arrow";

  private final BufferAllocator allocator = new RootAllocator();

  @BeforeAll
  static void thereAreTables() {
    assumeThat(TABLES).as("the folder of -Dlance4j.data with real tables").isDirectory();
  }

  static List<Path> tables() throws IOException {
    try (Stream<Path> files = Files.walk(TABLES, 2)) {
      return files
          .filter(file -> file.toString().endsWith(EXPECTED))
          .map(file -> Path.of(file.toString().replace(EXPECTED, "")))
          .sorted()
          .toList();
    }
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private Dataset open(Path table) {
    return Dataset.open(table.toString(), OpenOptions.builder().allocator(allocator).build());
  }

  @ParameterizedTest
  @MethodSource("tables")
  void rowsAndRowIdsAreThoseOfTheRealLibrary(Path table) {
    try (ArrowTable expected = IpcFiles.read(Path.of(table + EXPECTED), allocator);
        Dataset dataset = open(table);
        ArrowTable read = Tables.drain(dataset.scan().withRowId().open(), allocator)) {
      TableAssert.assertEqual(expected, read);
      assertThat(dataset.countRows()).isEqualTo(expected.rowCount());
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void rowsAreFoundByPositionAndById(Path table) {
    try (ArrowTable expected = IpcFiles.read(Path.of(table + EXPECTED), allocator);
        Dataset dataset = open(table)) {
      int rows = expected.rowCount();
      if (rows > 0) {
        int[] picks = {rows - 1, 0, rows / 2, 0};
        long[] positions = Arrays.stream(picks).asLongStream().toArray();
        UInt8Vector ids = (UInt8Vector) expected.column(ROW_ID);
        long[] rowIds = Arrays.stream(picks).mapToLong(ids::get).toArray();
        try (ArrowTable picked = Tables.gather(expected, picks, allocator)) {
          assertEqualButForIds(picked, dataset.take(positions));
          // One of the tables has two fragments of the same number.
          if (hasDistinctValues(ids)) {
            assertEqualButForIds(picked, dataset.takeRows(rowIds));
          }
        }
      }
    }
  }

  private static boolean hasDistinctValues(UInt8Vector ids) {
    return IntStream.range(0, ids.getValueCount()).mapToLong(ids::get).distinct().count()
        == ids.getValueCount();
  }

  private void assertEqualButForIds(ArrowTable expected, ArrowReader taken) {
    String[] columns =
        expected.columnNames().stream().filter(name -> !name.equals(ROW_ID)).toArray(String[]::new);
    try (ArrowTable actual = Tables.drain(taken, allocator)) {
      TableAssert.assertEqual(Tables.select(expected, columns), actual);
    }
  }

  @Test
  void deletionsCountEvenIfTheManifestDoesNotSayHowManyRowsThereWere() {
    try (Dataset dataset = open(TABLES.resolve("v0.7.5/with_deletions"))) {
      assertThat(dataset.countRows()).isEqualTo(90);
    }
  }

  @Test
  void aTableWithoutItsFilesOpensButDoesNotRead() {
    try (Dataset dataset = open(TABLES.resolve("v0.5.9/dataset_with_fragments"))) {
      assertThat(dataset.version()).isEqualTo(3);
      assertThatThrownBy(() -> Tables.drain(dataset.scan().open(), allocator))
          .isInstanceOf(LanceException.class)
          .hasMessageContaining(".lance");
    }
  }
}
