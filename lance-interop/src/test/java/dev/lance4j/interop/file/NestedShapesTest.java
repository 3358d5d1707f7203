package dev.lance4j.interop.file;

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
import dev.lance4j.interop.oracle.OracleAborted;
import dev.lance4j.interop.oracle.OraclePlatform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.DictionaryUtility;

/** Types nested up to three deep: what either library writes of them, both read. */
@AddLifecycleHook(NestedShapesTest.SkipWithoutOracle.class)
class NestedShapesTest {
  private static final int TRIES = 250;

  private Path folder;

  /** Says why where the real library does not run. */
  static final class SkipWithoutOracle implements SkipExecutionHook {
    @Override
    public SkipResult shouldBeSkipped(LifecycleContext context) {
      return OraclePlatform.obstacle().map(SkipResult::skip).orElse(SkipResult.doNotSkip());
    }
  }

  /** A column and what is in it. */
  record Column(FileVersion version, Field field, NullPattern nulls, int rows, long seed) {}

  @BeforeProperty
  void makeFolder() throws IOException {
    folder = Files.createTempDirectory("nested");
  }

  @AfterProperty
  void removeFolder() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Provide
  Arbitrary<Column> v20() {
    return columns(FileVersion.V2_0);
  }

  @Provide
  Arbitrary<Column> v21() {
    return columns(FileVersion.V2_1);
  }

  @Provide
  Arbitrary<Column> v22() {
    return columns(FileVersion.V2_2);
  }

  static Arbitrary<Column> columns(FileVersion version) {
    return Combinators.combine(
            new NestedFields(version).field("f", 3),
            Arbitraries.of(NullPattern.SOME, NullPattern.SOME, NullPattern.NONE, NullPattern.ONLY),
            Arbitraries.oneOf(
                Arbitraries.integers().between(1, 20), Arbitraries.integers().between(21, 3_000)),
            Arbitraries.longs())
        .as((field, nulls, rows, seed) -> new Column(version, field, nulls, rows, seed));
  }

  @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
  void bothReadWhatEitherWritesInV20(@ForAll("v20") Column column) {
    check(column);
  }

  @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
  void bothReadWhatEitherWritesInV21(@ForAll("v21") Column column) {
    check(column);
  }

  @Property(tries = TRIES, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
  void bothReadWhatEitherWritesInV22(@ForAll("v22") Column column) {
    check(column);
  }

  /** The real library aborts when it writes these, but reads ours. */
  @Example
  void bothReadFixedSizeListsOfBooleansInListsThatAreMostlyEmpty() {
    Field field = SampleFields.fixedSizeList("item", 3, SampleFields.bool("item"));
    for (String name : List.of("item", "item", "f")) {
      field = SampleFields.list(name, field);
    }
    check(new Column(FileVersion.V2_1, field, NullPattern.SOME, 11, 38));
  }

  void check(Column column) {
    Path file = folder.resolve("file.lance");
    try (BufferAllocator allocator = new RootAllocator()) {
      try (ArrowTable table =
          RandomData.table(
              List.of(column.field()), column.nulls(), column.rows(), column.seed(), allocator)) {
        check(column, table, file, allocator);
      } finally {
        delete(file);
      }
    }
  }

  private static void check(Column column, ArrowTable table, Path file, BufferAllocator allocator) {
    step("written by us", () -> weWrite(column, table, file, allocator));
    if (column.version() == FileVersion.V2_0) {
      table.root().getFieldVectors().forEach(PushedNulls::apply);
    }
    try (ArrowTable expected = Tables.decoded(table, allocator)) {
      step("ours, read by us", () -> weRead(file, expected, allocator));
      step("ours, read by them", () -> theyRead(file, expected, allocator));
      delete(file);
      if (theyWrite(column, table, file)) {
        step("theirs, read by us", () -> weRead(file, expected, allocator));
      }
    }
  }

  /**
   * Whether the real library writes a column. In lists that are mostly empty it aborts on keys into
   * dictionaries and on fixed-size lists of booleans, which it wants to store row by row and
   * cannot.
   */
  private static boolean theyWrite(Column column, ArrowTable table, Path file) {
    try {
      Oracle.shared().writeFile(file, column.version().toString(), table);
      return true;
    } catch (OracleAborted e) {
      if (hasNoRowByRowLayout(column.field(), false)) {
        return false;
      }
      throw new AssertionError("not written by them: " + e.getMessage(), e);
    }
  }

  private static boolean hasNoRowByRowLayout(Field field, boolean inList) {
    boolean within =
        inList
            || field.getType() instanceof ArrowType.List
            || field.getType() instanceof ArrowType.LargeList
            || field.getType() instanceof ArrowType.Map;
    return (inList && (field.getDictionary() != null || isFixedSizeListOfBooleans(field)))
        || field.getChildren().stream().anyMatch(child -> hasNoRowByRowLayout(child, within));
  }

  private static boolean isFixedSizeListOfBooleans(Field field) {
    if (!(field.getType() instanceof ArrowType.FixedSizeList)) {
      return false;
    }
    Field item = field.getChildren().get(0);
    return item.getType() instanceof ArrowType.Bool || isFixedSizeListOfBooleans(item);
  }

  private static void step(String name, Runnable action) {
    try {
      action.run();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(name + ": " + e.getMessage(), e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void weWrite(
      Column column, ArrowTable table, Path file, BufferAllocator allocator) {
    List<Field> fields = new ArrayList<>();
    for (Field field : table.root().getSchema().getFields()) {
      fields.add(DictionaryUtility.toMessageFormat(field, table.dictionaries(), new HashSet<>()));
    }
    try (LanceFileWriter writer =
        LanceFileWriter.create(file.toString(), new Schema(fields), column.version(), allocator)) {
      writer.write(table.root(), table.dictionaries());
      writer.finish();
    }
  }

  private static void weRead(Path file, ArrowTable expected, BufferAllocator allocator) {
    SplittableRandom random = new SplittableRandom(expected.rowCount());
    try (LanceFileReader reader = LanceFileReader.open(file.toString())) {
      try (ArrowTable read = Tables.drain(reader.scan().open(allocator), allocator)) {
        TableAssert.assertEqual(expected, read);
      }
      int[] rows = random.ints(10, 0, expected.rowCount()).toArray();
      long[] positions = Arrays.stream(rows).asLongStream().toArray();
      try (ArrowTable taken = Tables.gather(expected, rows, allocator);
          ArrowTable read =
              Tables.drain(reader.scan().rows(positions).open(allocator), allocator)) {
        TableAssert.assertEqual(taken, read);
      }
    }
  }

  private static void theyRead(Path file, ArrowTable expected, BufferAllocator allocator) {
    try (ArrowTable read = Oracle.shared().readFile(file, allocator)) {
      TableAssert.assertEqual(expected, read);
    }
  }
}
