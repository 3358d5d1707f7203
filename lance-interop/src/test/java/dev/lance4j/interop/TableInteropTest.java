package dev.lance4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.PushedNulls;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.write.BatchSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables that one library makes and the other appends to, read by both. */
@WithOracle
class TableInteropTest {
  private static final int MANY = 100_000;
  private static final int[] ROWS = {0, 1, 7, 1_023, 4_096, MANY};

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  /** What the tables of one test have in common. */
  record Cell(FileVersion version, NullPattern nulls, int rows) {
    /** The columns; where there are many rows, each type is in the tables of one null pattern. */
    List<Field> fields() {
      List<Field> all = SampleFields.of(version);
      List<NullPattern> patterns = List.of(NullPattern.values());
      int first = patterns.indexOf(nulls) + (version == FileVersion.V2_0 ? 0 : 1);
      List<Field> dealt = new ArrayList<>();
      for (int i = first % patterns.size(); i < all.size(); i += patterns.size()) {
        dealt.add(all.get(i));
      }
      return rows < MANY ? all : dealt;
    }

    /** The rows that the other library appends. */
    int appended() {
      return rows < MANY ? rows : 7;
    }
  }

  static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (FileVersion version : List.of(FileVersion.V2_0, FileVersion.V2_1)) {
      for (NullPattern nulls : NullPattern.values()) {
        for (int rows : ROWS) {
          cells.add(new Cell(version, nulls, rows));
        }
      }
    }
    return cells;
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @ParameterizedTest
  @MethodSource("cells")
  void theRealLibraryAppendsToOurs(Cell cell) {
    String uri = folder.resolve("ours.lance").toString();
    try (ArrowTable ours = data(cell, cell.rows(), 1);
        ArrowTable theirs = data(cell, cell.appended(), 2)) {
      try (Dataset created =
          Dataset.write(uri)
              .allocator(allocator)
              .fileVersion(cell.version())
              .maxRowsPerFile(Math.max(1_000, cell.rows() / 3))
              .from(ours.root(), ours.dictionaries())) {
        assertThat(created.countRows()).isEqualTo(cell.rows());
      }
      oracle.append(uri, theirs);
      checkBoth(uri, ours, theirs);
    }
  }

  @ParameterizedTest
  @MethodSource("cells")
  void weAppendToTheRealLibrarys(Cell cell) {
    String uri = folder.resolve("theirs.lance").toString();
    try (ArrowTable theirs = data(cell, cell.rows(), 1);
        ArrowTable ours = data(cell, cell.appended(), 2)) {
      oracle.create(uri, cell.version().toString(), theirs);
      try (Dataset opened = open(uri);
          Dataset appended = opened.append(BatchSource.of(ours.root(), ours.dictionaries()))) {
        assertThat(appended.countRows()).isEqualTo(cell.rows() + cell.appended());
      }
      checkBoth(uri, theirs, ours);
    }
  }

  private ArrowTable data(Cell cell, int rows, long seed) {
    ArrowTable table = RandomData.table(cell.fields(), cell.nulls(), rows, seed, allocator);
    if (cell.version() == FileVersion.V2_0) {
      table.root().getFieldVectors().forEach(PushedNulls::apply);
    }
    return table;
  }

  private Dataset open(String uri) {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  private void checkBoth(String uri, ArrowTable first, ArrowTable second) {
    try (ArrowTable decodedFirst = Tables.decoded(first, allocator);
        ArrowTable decodedSecond = Tables.decoded(second, allocator);
        ArrowTable expected = Tables.concat(decodedFirst, decodedSecond, allocator);
        Dataset dataset = open(uri)) {
      long rows = expected.rowCount();
      assertThat(dataset.countRows()).isEqualTo(rows);
      assertThat(oracle.countRows(uri)).isEqualTo(rows);
      try (ArrowTable read = Tables.drain(dataset.scan().open(), allocator);
          ArrowTable theirs = oracle.scan(uri, allocator)) {
        TableAssert.assertEqual(expected, read);
        TableAssert.assertEqual(expected, theirs);
      }
      if (rows > 0) {
        checkTake(uri, dataset, expected);
      }
    }
  }

  private void checkTake(String uri, Dataset dataset, ArrowTable expected) {
    int last = expected.rowCount() - 1;
    int[] picks = {last, 0, last / 2, last};
    long[] positions = Arrays.stream(picks).asLongStream().toArray();
    long[] rowIds = rowIds(dataset, expected.columnNames().get(0), picks);
    try (ArrowTable picked = Tables.gather(expected, picks, allocator);
        ArrowTable ours = Tables.drain(dataset.take(positions), allocator);
        ArrowTable theirs = oracle.take(uri, boxed(positions), allocator);
        ArrowTable oursById = Tables.drain(dataset.takeRows(rowIds), allocator);
        ArrowTable theirsById = oracle.takeRows(uri, boxed(rowIds), allocator)) {
      TableAssert.assertEqual(picked, ours);
      TableAssert.assertEqual(picked, theirs);
      TableAssert.assertEqual(picked, oursById);
      TableAssert.assertEqual(picked, theirsById);
    }
  }

  private long[] rowIds(Dataset dataset, String column, int[] picks) {
    try (ArrowTable rows =
        Tables.drain(dataset.scan().select(column).withRowId().open(), allocator)) {
      UInt8Vector ids = (UInt8Vector) rows.column("_rowid");
      return Arrays.stream(picks).mapToLong(ids::get).toArray();
    }
  }

  private static List<Long> boxed(long[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  @Test
  void rowIdsAndDeletionsAgree() {
    String uri = folder.resolve("deleted.lance").toString();
    List<Field> fields = List.of(SampleFields.int32("k"));
    try (ArrowTable table = RandomData.table(fields, NullPattern.NONE, 30_000, 5, allocator)) {
      try (Dataset created =
          Dataset.write(uri)
              .allocator(allocator)
              .maxRowsPerFile(10_000)
              .from(table.root(), table.dictionaries())) {
        assertThat(created.fragments()).hasSize(3);
      }
      // A few rows give the array form; half of the rows the bitmap form.
      oracle.delete(uri, "k % 997 = 0");
      checkDeletions(uri);
      oracle.delete(uri, "k % 2 = 0");
      checkDeletions(uri);
    }
  }

  @Test
  void theRealLibraryLeavesOutTheRowsThatWeDelete() {
    String uri = folder.resolve("ours-deleted.lance").toString();
    List<Field> fields = List.of(SampleFields.int32("k"));
    try (ArrowTable table = RandomData.table(fields, NullPattern.NONE, 30_000, 5, allocator);
        Dataset created =
            Dataset.write(uri)
                .allocator(allocator)
                .maxRowsPerFile(10_000)
                .from(table.root(), table.dictionaries());
        Dataset few = created.delete("k % 997 = 0").dataset()) {
      checkDeletions(uri);
      few.delete("k % 2 = 0").dataset().close();
      checkDeletions(uri);
    }
  }

  private void checkDeletions(String uri) {
    try (Dataset dataset = open(uri)) {
      ObjectNode args = Oracle.args(uri).put("withRowId", true).put("withRowAddress", true);
      try (ArrowTable ours =
              Tables.drain(dataset.scan().withRowId().withRowAddress().open(), allocator);
          ArrowTable theirs = oracle.fetch("scan", args, allocator)) {
        TableAssert.assertEqual(theirs, ours);
        assertThat(dataset.countRows()).isEqualTo(theirs.rowCount());
        checkLookUps(dataset, ours);
      }
    }
  }

  private void checkLookUps(Dataset dataset, ArrowTable all) {
    UInt8Vector ids = (UInt8Vector) all.column("_rowid");
    int last = all.rowCount() - 1;
    int[] positions = {last, 17, 0, last / 2, 17};
    long[] rowIds = new long[positions.length];
    long[] wanted = new long[positions.length];
    for (int i = 0; i < positions.length; i++) {
      rowIds[i] = ids.get(positions[i]);
      wanted[i] = positions[i];
    }
    try (ArrowTable expected = Tables.gather(Tables.select(all, "k"), positions, allocator);
        ArrowTable byId = Tables.drain(dataset.takeRows(rowIds, "k"), allocator);
        ArrowTable byPosition = Tables.drain(dataset.take(wanted, "k"), allocator)) {
      TableAssert.assertEqual(expected, byId);
      TableAssert.assertEqual(expected, byPosition);
    }
  }
}
