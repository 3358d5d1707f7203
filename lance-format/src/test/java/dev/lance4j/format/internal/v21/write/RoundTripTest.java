package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.internal.container.FileAssembler;
import dev.lance4j.format.internal.page.PageLimits;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.RandomFields;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableBuilder;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Files give back what was written, however it comes in batches and is cut into pages. */
class RoundTripTest {
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
              LanceSchema schema = LanceSchema.fromArrow(RoundTrip.messageSchema(table));
              file = new FileAssembler(store, RoundTrip.PATH, schema, version, allocator, limits);
            }
            RoundTrip.append(file, table);
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
        RoundTrip.check(expected, store, new SplittableRandom(seed), allocator);
      }
    }
  }
}
