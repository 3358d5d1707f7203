package dev.lance4j.interop.file;

import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;

/** Reads a file in several ways and compares with what was written. */
final class FileChecks {
  private FileChecks() {}

  /** Checks one column: all rows in batches, ranges, and single rows with repeats. */
  static void check(Path file, ArrowTable written, String column, BufferAllocator allocator)
      throws IOException {
    ArrowTable expected = Tables.select(written, column);
    int rows = written.rowCount();
    SplittableRandom random = new SplittableRandom(rows);
    try (LanceFileReader reader = LanceFileReader.open(file.toString())) {
      try (ArrowReader all = reader.scan().select(column).batchSize(1000).open(allocator);
          ArrowTable read = Tables.drain(all, allocator)) {
        TableAssert.assertEqual(expected, read);
      }
      for (int i = 0; i < 3; i++) {
        int start = random.nextInt(rows);
        checkRange(reader, expected, start, random.nextInt(start, rows) + 1, allocator);
      }
      checkRange(reader, expected, 0, rows, allocator);
      checkRows(reader, expected, random.ints(10, 0, rows).toArray(), allocator);
    }
  }

  private static void checkRange(
      LanceFileReader reader, ArrowTable expected, int start, int end, BufferAllocator allocator)
      throws IOException {
    String column = expected.columnNames().get(0);
    try (ArrowReader some =
            reader.scan().select(column).range(start, end).batchSize(end).open(allocator);
        ArrowTable read = Tables.drain(some, allocator);
        ArrowTable slice = Tables.slice(expected, start, end, allocator)) {
      TableAssert.assertEqual(slice, read);
    }
  }

  private static void checkRows(
      LanceFileReader reader, ArrowTable expected, int[] positions, BufferAllocator allocator)
      throws IOException {
    String column = expected.columnNames().get(0);
    long[] rows = Arrays.stream(positions).asLongStream().toArray();
    try (ArrowReader some = reader.scan().select(column).rows(rows).open(allocator);
        ArrowTable read = Tables.drain(some, allocator);
        ArrowTable gathered = Tables.gather(expected, positions, allocator)) {
      TableAssert.assertEqual(gathered, read);
    }
  }
}
