package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.FileScan;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.internal.container.FileAssembler;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.internal.page.PageLimits;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.DictionaryUtility;

/** Writes tables to files in memory and compares what comes back. */
final class RoundTrip {
  static final String PATH = "file.lance";

  private RoundTrip() {}

  /** Fails unless a table that is written as one batch comes back. */
  static void check(ArrowTable table, FileVersion version, BufferAllocator allocator) {
    MemoryObjectStore store = new MemoryObjectStore();
    LanceSchema schema = LanceSchema.fromArrow(messageSchema(table));
    try (FileAssembler file =
        new FileAssembler(store, PATH, schema, version, allocator, PageLimits.DEFAULT)) {
      append(file, table);
      file.finish();
    }
    try (ArrowTable expected = Tables.decoded(table, allocator)) {
      check(expected, store, new SplittableRandom(table.rowCount()), allocator);
    }
  }

  /** Adds a batch. */
  static void append(FileAssembler file, ArrowTable table) {
    List<ArrayData> arrays = new ArrayList<>();
    try {
      table
          .root()
          .getFieldVectors()
          .forEach(
              v ->
                  arrays.add(
                      ArrayDataVectors.of(v, table.rowCount(), v.getName(), table.dictionaries())));
      file.append(arrays, table.rowCount());
    } finally {
      arrays.forEach(ArrayData::close);
    }
  }

  /** The schema in which dictionary fields have the type of their values. */
  static Schema messageSchema(ArrowTable table) {
    List<Field> fields = new ArrayList<>();
    for (Field field : table.root().getSchema().getFields()) {
      fields.add(DictionaryUtility.toMessageFormat(field, table.dictionaries(), new HashSet<>()));
    }
    return new Schema(fields);
  }

  /** Fails unless the file has these rows, read whole, in part and one by one. */
  static void check(
      ArrowTable expected,
      MemoryObjectStore store,
      SplittableRandom random,
      BufferAllocator allocator) {
    try (LanceFileReader file = LanceFileReader.open(store, PATH)) {
      check(expected, file.scan().batchSize(500), allocator);
      if (expected.rowCount() == 0) {
        return;
      }
      int from = random.nextInt(expected.rowCount());
      int to = from + random.nextInt(expected.rowCount() - from + 1);
      try (ArrowTable slice = Tables.slice(expected, from, to, allocator)) {
        check(slice, file.scan().range(from, to).batchSize(7), allocator);
      }
      int[] positions = random.ints(10, 0, expected.rowCount()).toArray();
      long[] rows = new long[positions.length];
      for (int i = 0; i < rows.length; i++) {
        rows[i] = positions[i];
      }
      try (ArrowTable taken = Tables.gather(expected, positions, allocator)) {
        check(taken, file.scan().rows(rows), allocator);
      }
    }
  }

  private static void check(ArrowTable expected, FileScan scan, BufferAllocator allocator) {
    try (ArrowTable actual = Tables.drain(scan.open(allocator), allocator)) {
      TableAssert.assertEqual(expected, actual);
    }
  }
}
