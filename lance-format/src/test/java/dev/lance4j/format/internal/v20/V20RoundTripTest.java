package dev.lance4j.format.internal.v20;

import dev.lance4j.format.FileScan;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.PushedNulls;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.DictionaryUtility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole files of version 2.0 give back what was written, however it is asked for. */
class V20RoundTripTest {
  private static final String PATH = "file.lance";

  static List<Field> fields() {
    return SampleFields.of(FileVersion.V2_0);
  }

  @ParameterizedTest
  @MethodSource("fields")
  void everyTypeComesBack(Field field) {
    for (NullPattern nulls : NullPattern.values()) {
      for (int rows : new int[] {1, 100, 1000}) {
        roundTrip(field, nulls, rows, 31L * rows + nulls.name().length());
      }
    }
  }

  private static void roundTrip(Field field, NullPattern nulls, int rows, long seed) {
    MemoryObjectStore store = new MemoryObjectStore();
    SplittableRandom random = new SplittableRandom(seed);
    try (BufferAllocator allocator = new RootAllocator();
        ArrowTable table = RandomData.table(List.of(field), nulls, rows, seed, allocator)) {
      write(store, table, allocator);
      try (LanceFileReader file = LanceFileReader.open(store, PATH)) {
        check(table, file.scan(), 0, rows, allocator);
        int from = random.nextInt(rows);
        int to = from + random.nextInt(rows - from + 1);
        check(
            table,
            file.scan().range(from, to).batchSize(1 + random.nextInt(64)),
            from,
            to,
            allocator);
        checkTake(table, file, random, allocator);
      }
    }
  }

  private static void write(MemoryObjectStore store, ArrowTable table, BufferAllocator allocator) {
    LanceSchema schema = LanceSchema.fromArrow(messageSchema(table));
    try (LanceFileWriter writer =
        LanceFileWriter.create(store, PATH, schema, FileVersion.V2_0, allocator)) {
      writer.write(table.root(), table.dictionaries());
      writer.finish();
    }
  }

  /** The schema in which dictionary fields have the type of their values. */
  private static Schema messageSchema(ArrowTable table) {
    List<Field> fields = new ArrayList<>();
    for (Field field : table.root().getSchema().getFields()) {
      fields.add(DictionaryUtility.toMessageFormat(field, table.dictionaries(), new HashSet<>()));
    }
    return new Schema(fields);
  }

  private static void check(
      ArrowTable table, FileScan scan, int from, int to, BufferAllocator allocator) {
    try (ArrowTable expected = storable(Tables.slice(table, from, to, allocator));
        ArrowTable actual = Tables.drain(scan.open(allocator), allocator)) {
      TableAssert.assertEqual(expected, actual);
    }
  }

  private static void checkTake(
      ArrowTable table, LanceFileReader file, SplittableRandom random, BufferAllocator allocator) {
    int[] positions = random.ints(10, 0, table.rowCount()).toArray();
    long[] rows = new long[positions.length];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = positions[i];
    }
    try (ArrowTable expected = storable(Tables.gather(table, positions, allocator));
        ArrowTable actual = Tables.drain(file.scan().rows(rows).open(allocator), allocator)) {
      TableAssert.assertEqual(expected, actual);
    }
  }

  /** What version 2.0 can hold of a table: null structs become structs of nulls. */
  private static ArrowTable storable(ArrowTable table) {
    table.root().getFieldVectors().forEach(PushedNulls::apply);
    return table;
  }
}
