package dev.lance4j.interop;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.format.FileScan;
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
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.DictionaryUtility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Single files of every type: what either library writes, both read, whole and in part. */
@WithOracle
class FileInteropTest {
  private static final int MANY = 100_000;
  private static final int[] ROWS = {0, 1, 7, 1_023, 4_096, MANY};
  private static final List<FileVersion> VERSIONS =
      List.of(FileVersion.V2_0, FileVersion.V2_1, FileVersion.V2_2);

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  /**
   * What all columns of one file have in common. Where there are many rows, each nested type is in
   * the files of one null pattern only, which differs between versions.
   */
  record Cell(FileVersion version, NullPattern nulls, int rows) {
    List<Field> fields() {
      NullPattern[] patterns = NullPattern.values();
      List<Field> all = SampleFields.of(version);
      List<Field> fields = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        boolean nested = !all.get(i).getChildren().isEmpty();
        NullPattern dealt = patterns[(i + VERSIONS.indexOf(version)) % patterns.length];
        if (!nested || rows < MANY || dealt == nulls) {
          fields.add(all.get(i));
        }
      }
      return fields;
    }

    @Override
    public String toString() {
      return "version " + version + ", nulls: " + nulls + ", " + rows + " rows";
    }
  }

  static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (FileVersion version : VERSIONS) {
      for (int rows : ROWS) {
        for (NullPattern nulls : NullPattern.values()) {
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
  void whatEitherWritesBothRead(Cell cell) throws IOException {
    try {
      check(cell, cell.fields());
    } catch (AssertionError | RuntimeException together) {
      throw blame(cell, together);
    }
  }

  /** Tries each column alone, so that the message names those that are at fault. */
  private AssertionError blame(Cell cell, Throwable together) throws IOException {
    StringBuilder message = new StringBuilder(cell.toString());
    List<Throwable> causes = new ArrayList<>();
    for (Field field : cell.fields()) {
      try {
        check(cell, List.of(field));
      } catch (AssertionError | RuntimeException alone) {
        message.append("\n* ").append(field).append(": ").append(alone.getMessage());
        causes.add(alone);
      }
    }
    if (causes.isEmpty()) {
      message.append("\n* not one column alone: ").append(together.getMessage());
      causes.add(together);
    }
    AssertionError error = new AssertionError(message.toString(), causes.get(0));
    causes.subList(1, causes.size()).forEach(error::addSuppressed);
    return error;
  }

  private void check(Cell cell, List<Field> fields) throws IOException {
    Path file = folder.resolve("file.lance");
    try (ArrowTable table = RandomData.table(fields, cell.nulls, cell.rows, 3, allocator)) {
      step("written by us", () -> weWrite(file, cell.version, table));
      if (cell.version == FileVersion.V2_0) {
        table.root().getFieldVectors().forEach(PushedNulls::apply);
      }
      try (ArrowTable expected = Tables.decoded(table, allocator)) {
        step("ours, read by us", () -> weRead(file, expected));
        step("ours, read by them", () -> theyRead(file, expected));
        Files.delete(file);
        oracle.writeFile(file, cell.version.toString(), table);
        step("theirs, read by us", () -> weRead(file, expected));
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static void step(String name, Runnable action) {
    try {
      action.run();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(name + ": " + e.getMessage(), e);
    }
  }

  /** Writes a table in two batches of uneven size, where it has rows for two. */
  private void weWrite(Path file, FileVersion version, ArrowTable table) {
    int first = table.rowCount() / 3;
    try (LanceFileWriter writer =
            LanceFileWriter.create(file.toString(), schema(table), version, allocator);
        VectorSchemaRoot start = table.root().slice(0, first);
        VectorSchemaRoot rest = table.root().slice(first, table.rowCount() - first)) {
      writer.write(start, table.dictionaries());
      writer.write(rest, table.dictionaries());
      writer.finish();
    }
  }

  /** The schema as messages have it: dictionary fields with the type of their values. */
  private static Schema schema(ArrowTable table) {
    List<Field> fields = new ArrayList<>();
    for (Field field : table.root().getSchema().getFields()) {
      fields.add(DictionaryUtility.toMessageFormat(field, table.dictionaries(), new HashSet<>()));
    }
    return new Schema(fields);
  }

  private void weRead(Path file, ArrowTable expected) {
    SplittableRandom random = new SplittableRandom(11);
    try (LanceFileReader reader = LanceFileReader.open(file.toString())) {
      weRead(reader.scan(), expected);
      if (expected.rowCount() == 0) {
        return;
      }
      for (int i = 0; i < 3; i++) {
        int[] range = range(expected.rowCount(), random);
        try (ArrowTable slice = Tables.slice(expected, range[0], range[1], allocator)) {
          weRead(reader.scan().range(range[0], range[1]).batchSize(1_000), slice);
        }
      }
      int[] rows = random.ints(40, 0, expected.rowCount()).toArray();
      rows[1] = rows[0];
      try (ArrowTable taken = Tables.gather(expected, rows, allocator)) {
        weRead(reader.scan().rows(Arrays.stream(rows).asLongStream().toArray()), taken);
      }
    }
  }

  private void weRead(FileScan scan, ArrowTable expected) {
    try (ArrowTable read = Tables.drain(scan.open(allocator), allocator)) {
      TableAssert.assertEqual(expected, read);
    }
  }

  private void theyRead(Path file, ArrowTable expected) {
    try (ArrowTable read = oracle.readFile(file, allocator)) {
      TableAssert.assertEqual(expected, read);
    }
    if (expected.rowCount() > 1) {
      int[] range = range(expected.rowCount(), new SplittableRandom(12));
      ObjectNode args = Oracle.args().put("path", file.toString());
      args.putArray("ranges").addArray().add(range[0]).add(range[1]);
      try (ArrowTable read = oracle.fetch("readFile", args, allocator);
          ArrowTable slice = Tables.slice(expected, range[0], range[1], allocator)) {
        TableAssert.assertEqual(slice, read);
      }
    }
  }

  /** The start and the end of at least one and at most 3,000 rows. */
  private static int[] range(int rows, SplittableRandom random) {
    int start = random.nextInt(rows);
    int end = start + 1 + random.nextInt(Math.min(3_000, rows - start));
    return new int[] {start, end};
  }
}
