package dev.lance4j.interop.file;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.internal.container.FileAssembler;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.internal.page.PageLimits;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.RandomFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.DictionaryUtility;
import org.apache.arrow.vector.util.TransferPair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The real library reads our columns of many small pages together, though their nulls, empty lists,
 * layouts and encodings differ from page to page.
 */
@WithOracle
class ManyPagesTest {
  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  static long[] seeds() {
    return new SplittableRandom(2026).longs(120).toArray();
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theyReadNestedColumnsOfManyPages(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FileVersion version = random.nextBoolean() ? FileVersion.V2_1 : FileVersion.V2_2;
    Field field = new RandomFields(seed, version).field("f", 1 + random.nextInt(4));
    NullPattern nulls = random.nextInt(3) == 0 ? NullPattern.NONE : NullPattern.SOME;
    int rows = 1 + random.nextInt(3_000);
    int pageBytes = 200 << random.nextInt(6);
    Path file = folder.resolve("pages.lance");
    try (ArrowTable table = RandomData.table(List.of(field), nulls, rows, seed, allocator)) {
      write(file, version, table, new PageLimits(pageBytes, 3L * pageBytes), random);
      try (ArrowTable expected = Tables.decoded(table, allocator);
          ArrowTable read = Oracle.shared().readFile(file, allocator)) {
        TableAssert.assertEqual(expected, read);
      }
    }
  }

  /** Writes slices of the only column. */
  private void write(
      Path file,
      FileVersion version,
      ArrowTable table,
      PageLimits limits,
      SplittableRandom random) {
    FieldVector column = table.root().getVector(0);
    Field stored =
        DictionaryUtility.toMessageFormat(column.getField(), table.dictionaries(), new HashSet<>());
    StoreLocation location = ObjectStores.resolve(file.toString());
    LanceSchema schema = LanceSchema.fromArrow(new Schema(List.of(stored)));
    try (FileAssembler out =
        new FileAssembler(location.store(), location.path(), schema, version, allocator, limits)) {
      int from = 0;
      while (from < table.rowCount()) {
        int count = Math.min(table.rowCount() - from, 1 + random.nextInt(1_000));
        TransferPair slice = column.getTransferPair(allocator);
        slice.splitAndTransfer(from, count);
        try (FieldVector rows = (FieldVector) slice.getTo();
            ArrayData data = ArrayDataVectors.of(rows, count, "f", table.dictionaries())) {
          out.append(List.of(data), count);
        }
        from += count;
      }
      out.finish();
    }
  }
}
