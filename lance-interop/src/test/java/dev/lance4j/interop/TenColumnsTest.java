package dev.lance4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.SampleColumn;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Columns of the usual kinds: ours are as small as those of the real library, and both read both.
 */
@WithOracle
class TenColumnsTest {
  private static final int ROWS = 200_000;

  /** How much larger than the file of the real library ours may be. */
  private static final double MOST = 1.05;

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  record Cell(SampleColumn column, FileVersion version) {}

  static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (SampleColumn column : SampleColumn.values()) {
      cells.add(new Cell(column, FileVersion.V2_1));
      cells.add(new Cell(column, FileVersion.V2_2));
    }
    return cells;
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @ParameterizedTest
  @MethodSource("cells")
  void isNotLargerThanThatOfTheRealLibrary(Cell cell) throws IOException {
    Path ours = folder.resolve("ours.lance");
    Path theirs = folder.resolve("theirs.lance");
    try (ArrowTable table = ArrowTable.of(cell.column.vector(0, ROWS, allocator))) {
      write(ours, cell.version, table);
      Oracle.shared().writeFile(theirs, cell.version.toString(), table);
      try (ArrowTable read = Oracle.shared().readFile(ours, allocator)) {
        TableAssert.assertEqual(table, read);
      }
      read(ours, table);
      read(theirs, table);
    }
    System.out.println(
        "SIZES "
            + cell
            + " "
            + Files.size(ours)
            + " "
            + Files.size(theirs)
            + " "
            + (double) Files.size(ours) / Files.size(theirs));
    long allowed = (long) (MOST * Files.size(theirs));
    assertThat(Files.size(ours)).as("bytes of %s", cell).isLessThanOrEqualTo(allowed);
  }

  private void write(Path file, FileVersion version, ArrowTable table) {
    try (LanceFileWriter writer =
        LanceFileWriter.create(file.toString(), table.root().getSchema(), version, allocator)) {
      writer.write(table.root());
      writer.finish();
    }
  }

  private void read(Path file, ArrowTable expected) {
    try (LanceFileReader reader = LanceFileReader.open(file.toString());
        ArrowTable read = Tables.drain(reader.scan().open(allocator), allocator)) {
      TableAssert.assertEqual(expected, read);
    }
  }
}
