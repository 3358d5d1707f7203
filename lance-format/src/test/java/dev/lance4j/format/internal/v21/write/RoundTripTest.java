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
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.TableBuilder;
import dev.lance4j.format.testing.Tables;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.DictionaryUtility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Files give back what was written, however it comes in batches and is cut into pages. */
class RoundTripTest {
  private static final String PATH = "file.lance";

  static Stream<Arguments> fields() {
    return Stream.of(FileVersion.V2_1, FileVersion.V2_2)
        .flatMap(version -> SampleFields.of(version).stream().map(f -> Arguments.of(version, f)));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void everyTypeComesBack(FileVersion version, Field field) {
    for (NullPattern nulls : NullPattern.values()) {
      for (int rows : new int[] {1, 100, 3000}) {
        roundTrip(List.of(field), version, PageLimits.DEFAULT, nulls, rows, rows);
      }
    }
  }

  /** Without 8-bit keys, which cannot number the values of all batches' dictionaries. */
  static Stream<Arguments> fieldsWithWideKeys() {
    return fields().filter(arguments -> !arguments.get()[1].toString().contains("int8_utf8"));
  }

  @ParameterizedTest
  @MethodSource("fieldsWithWideKeys")
  void everyTypeComesBackFromManyPages(FileVersion version, Field field) {
    PageLimits limits = new PageLimits(1000, 3000);
    roundTrip(List.of(field), version, limits, NullPattern.SOME, 0, 300, 1, 20, 700, 90);
  }

  @Property(tries = 150)
  void nestedTypesComeBack(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FileVersion version = random.nextBoolean() ? FileVersion.V2_1 : FileVersion.V2_2;
    List<Field> fields = List.of(new RandomFields(seed, version).field("f", 1 + random.nextInt(4)));
    int pageBytes = 1 << (4 + random.nextInt(14));
    PageLimits limits = new PageLimits(pageBytes, pageBytes * (1L + random.nextInt(8)));
    NullPattern[] patterns = NullPattern.values();
    NullPattern nulls = patterns[random.nextInt(patterns.length)];
    int[] batches = random.ints(1 + random.nextInt(4), 0, 400).toArray();
    roundTrip(fields, version, limits, nulls, seed, batches);
  }

  private static void roundTrip(
      List<Field> fields,
      FileVersion version,
      PageLimits limits,
      NullPattern nulls,
      long seed,
      int... batches) {
    MemoryObjectStore store = new MemoryObjectStore();
    try (BufferAllocator allocator = new RootAllocator();
        TableBuilder builder = new TableBuilder(allocator)) {
      FileAssembler file = null;
      try {
        for (int i = 0; i < batches.length; i++) {
          try (ArrowTable table =
              RandomData.table(fields, nulls, batches[i], seed + i, allocator)) {
            if (file == null) {
              LanceSchema schema = LanceSchema.fromArrow(messageSchema(table));
              file = new FileAssembler(store, PATH, schema, version, allocator, limits);
            }
            append(file, table);
            builder.append(table.root(), table.dictionaries());
          }
        }
        file.finish();
      } finally {
        if (file != null) {
          file.close();
        }
      }
      try (ArrowTable expected = builder.build()) {
        check(expected, store, new SplittableRandom(seed), allocator);
      }
    }
  }

  private static void append(FileAssembler file, ArrowTable table) {
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
  private static Schema messageSchema(ArrowTable table) {
    List<Field> fields = new ArrayList<>();
    for (Field field : table.root().getSchema().getFields()) {
      fields.add(DictionaryUtility.toMessageFormat(field, table.dictionaries(), new HashSet<>()));
    }
    return new Schema(fields);
  }

  private static void check(
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
