package dev.lance4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.ColumnChange;
import dev.lance4j.write.FragmentColumns;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables whose columns are changed by one library, by the other, or by both in turn. */
@WithOracle
class SchemaEvolutionInteropTest {
  private static final Field Z = SampleFields.utf8("z");

  private static final ArrowType INT32 = new ArrowType.Int(32, true);

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  /** The same change by both libraries. */
  private record Step(String name, Function<Dataset, Dataset> ours, Consumer<String> theirs) {}

  private Step add(String name, String expression) {
    return new Step(
        "add " + name,
        dataset -> dataset.addColumns(Map.of(name, expression)),
        uri -> {
          ObjectNode args = Oracle.args(uri);
          args.putObject("sql").put(name, expression);
          oracle.call("addColumns", args);
        });
  }

  private Step addNulls(Field... fields) {
    Schema schema = new Schema(List.of(fields));
    return new Step(
        "add nulls",
        dataset -> dataset.addColumns(schema),
        uri -> oracle.call("addColumns", Oracle.args(uri).put("schema", schema.toJson())));
  }

  private Step drop(String column) {
    return new Step(
        "drop " + column,
        dataset -> dataset.dropColumns(column),
        uri -> {
          ObjectNode args = Oracle.args(uri);
          args.putArray("columns").add(column);
          oracle.call("dropColumns", args);
        });
  }

  private Step rename(String column, String name) {
    return new Step(
        "rename " + column,
        dataset -> dataset.alterColumns(ColumnChange.rename(column, name)),
        uri ->
            oracle.call("alterColumn", Oracle.args(uri).put("column", column).put("rename", name)));
  }

  private Step nullable(String column, boolean nullable) {
    return new Step(
        "nullable " + column,
        dataset -> dataset.alterColumns(ColumnChange.nullable(column, nullable)),
        uri ->
            oracle.call(
                "alterColumn", Oracle.args(uri).put("column", column).put("nullable", nullable)));
  }

  private Step castToLargeText(String column) {
    ArrowType type = ArrowType.LargeUtf8.INSTANCE;
    Schema schema = new Schema(List.of(SampleFields.scalar(column, type)));
    return new Step(
        "cast " + column,
        dataset -> dataset.alterColumns(ColumnChange.cast(column, type)),
        uri ->
            oracle.call(
                "alterColumn",
                Oracle.args(uri).put("column", column).put("castTo", schema.toJson())));
  }

  private Step append(List<Field> fields, long seed) {
    return new Step(
        "append",
        dataset -> {
          try (ArrowTable rows = data(fields, 5, seed)) {
            return dataset.append(BatchSource.of(rows.root(), rows.dictionaries()));
          }
        },
        uri -> {
          try (ArrowTable rows = data(fields, 5, seed)) {
            oracle.append(uri, rows);
          }
        });
  }

  private Step delete(String condition) {
    return new Step(
        "delete",
        dataset -> dataset.delete(condition).dataset(),
        uri -> oracle.delete(uri, condition));
  }

  private ArrowTable data(List<Field> fields, int rows, long seed) {
    return RandomData.table(fields, NullPattern.NONE, rows, seed, allocator);
  }

  private static final List<Field> FIELDS =
      List.of(
          SampleFields.scalar("k", new ArrowType.Int(8, true)),
          SampleFields.scalar("v", new ArrowType.Int(16, true)),
          SampleFields.utf8("s"),
          SampleFields.struct("st", SampleFields.int32("a"), SampleFields.utf8("b")));

  private List<Step> steps() {
    List<Field> renamed =
        List.of(
            SampleFields.utf8("s"),
            SampleFields.scalar("vv", new ArrowType.Int(16, true)),
            SampleFields.scalar("k", new ArrowType.Int(8, true)));
    return List.of(
        add("w", "v + k"),
        delete("k % 2 = 0"),
        add("c", "1"),
        addNulls(
            SampleFields.int32("n"),
            SampleFields.struct("deep", SampleFields.int32("x"), SampleFields.utf8("y"))),
        rename("v", "vv"),
        rename("st.a", "aa"),
        nullable("c", true),
        append(renamed, 3),
        castToLargeText("s"),
        add("twice", "vv * 2"),
        drop("w"),
        drop("st.aa"),
        delete("vv % 3 = 0"),
        drop("deep.y"),
        add("text", "upper(s)"),
        drop("k"),
        drop("s"),
        add("last", "twice IS NULL"),
        nullable("last", true));
  }

  /** Which library does which step. */
  enum Turns {
    OURS,
    EVEN,
    ODD;

    boolean areOurs(int step) {
      return switch (this) {
        case OURS -> true;
        case EVEN -> step % 2 == 0;
        case ODD -> step % 2 == 1;
      };
    }
  }

  record Cell(FileVersion version, boolean stable, Turns turns) {}

  static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (FileVersion version : List.of(FileVersion.V2_0, FileVersion.V2_1)) {
      for (boolean stable : new boolean[] {false, true}) {
        for (Turns turns : Turns.values()) {
          cells.add(new Cell(version, stable, turns));
        }
      }
    }
    return cells;
  }

  @ParameterizedTest
  @MethodSource("cells")
  void bothLibrariesDoTheSame(Cell cell) {
    String ours = folder.resolve("ours.lance").toString();
    String theirs = folder.resolve("theirs.lance").toString();
    create(ours, cell, cell.turns() == Turns.OURS);
    create(theirs, cell, false);
    List<Step> steps = steps();
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      step.theirs().accept(theirs);
      if (cell.turns().areOurs(i)) {
        try (Dataset before = open(ours);
            Dataset after = step.ours().apply(before)) {
          assertThat(after.version()).as(step.name()).isGreaterThan(before.version());
        }
      } else {
        step.theirs().accept(ours);
      }
      compare(ours, theirs, step.name(), cell.stable());
    }
  }

  private void create(String uri, Cell cell, boolean byUs) {
    try (ArrowTable rows = data(FIELDS, 12, 1)) {
      if (byUs) {
        Dataset.write(uri)
            .allocator(allocator)
            .fileVersion(cell.version())
            .stableRowIds(cell.stable())
            .maxRowsPerFile(5)
            .from(rows.root())
            .close();
      } else {
        oracle.send(
            "write",
            Oracle.args(uri)
                .put("fileVersion", cell.version().toString())
                .put("stableRowIds", cell.stable())
                .put("maxRowsPerFile", 5),
            rows);
      }
    }
  }

  private Dataset open(String uri) {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  private void compare(String ours, String theirs, String step, boolean stable) {
    try (Dataset left = open(ours);
        Dataset right = open(theirs)) {
      assertThat(left.lanceSchema()).as(step).isEqualTo(right.lanceSchema());
      assertThat(shapes(left)).as(step).isEqualTo(shapes(right));
      try (ArrowTable expected = oracle.scan(theirs, allocator);
          ArrowTable byOracle = oracle.scan(ours, allocator);
          ArrowTable byUs = Tables.drain(left.scan().open(), allocator);
          ArrowTable theirsByUs = Tables.drain(right.scan().open(), allocator)) {
        TableAssert.assertEqual(expected, byOracle);
        TableAssert.assertEqual(expected, byUs);
        TableAssert.assertEqual(expected, theirsByUs);
      }
      if (stable) {
        String[] versions = {"_rowid", "_row_created_at_version", "_row_last_updated_at_version"};
        try (ArrowTable expected = Tables.drain(right.scan().select(versions).open(), allocator);
            ArrowTable actual = Tables.drain(left.scan().select(versions).open(), allocator)) {
          TableAssert.assertEqual(expected, actual);
        }
      }
    }
  }

  /** The fields and columns of all files. */
  private static List<String> shapes(Dataset dataset) {
    List<String> shapes = new ArrayList<>();
    for (FragmentMetadata fragment : dataset.fragments()) {
      StringBuilder shape = new StringBuilder(fragment.id() + " " + fragment.physicalRows());
      for (DataFile file : fragment.files()) {
        shape.append(' ').append(file.fieldIds()).append(file.columnIndices());
      }
      shapes.add(shape.toString());
    }
    return shapes;
  }

  /** Whether the real library takes a new column for nullable just when we do. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "v + k",
        "k + 1",
        "k * 2",
        "-k",
        "1",
        "'x'",
        "true",
        "1 + 1",
        "NULL",
        "cast(k as bigint)",
        "cast(v as bigint)",
        "try_cast(k as bigint)",
        "k > 1",
        "v > 1",
        "k IS NULL",
        "k IN (1, 2)",
        "v IN (1, 2)",
        "s LIKE 'a%'",
        "NOT (k > 1)",
        "k BETWEEN 1 AND 2",
        "k > 1 AND v > 1",
        "k > 1 AND k < 3",
        "k = 1 OR k = 2",
        "coalesce(v, k)",
        "abs(k)",
        "upper(s)",
        "s || 'x'",
        "nullif(k, 1)",
        "now()",
        "[1, 2]"
      })
  void bothLibrariesFindTheSameType(String expression) {
    Schema schema =
        new Schema(
            List.of(
                Field.notNullable("k", INT32),
                Field.nullable("v", INT32),
                Field.nullable("s", ArrowType.Utf8.INSTANCE)));
    String ours = folder.resolve("ours.lance").toString();
    String theirs = folder.resolve("theirs.lance").toString();
    for (String uri : List.of(ours, theirs)) {
      Dataset.write(uri).allocator(allocator).from(schema).close();
    }
    Step step = add("x", expression);
    step.theirs().accept(theirs);
    try (Dataset before = open(ours);
        Dataset after = step.ours().apply(before);
        Dataset expected = open(theirs)) {
      assertThat(after.schema()).isEqualTo(expected.schema());
    }
  }

  /** The real library makes tables that it cannot read any more; ours it can read. */
  @ParameterizedTest
  @MethodSource("cells")
  void fragmentsKeepAFileWhenAllTheirColumnsAreDropped(Cell cell) {
    String uri = folder.resolve("ours.lance").toString();
    create(uri, cell, true);
    try (Dataset made = open(uri);
        Dataset added = made.addColumns(new Schema(List.of(SampleFields.int32("n"))));
        Dataset dropped = added.dropColumns("k", "v", "s", "st")) {
      assertThat(dropped.countRows()).isEqualTo(12);
      assertThat(oracle.countRows(uri)).isEqualTo(12);
      try (ArrowTable byOracle = oracle.scan(uri, allocator);
          ArrowTable byUs = Tables.drain(dropped.scan().open(), allocator)) {
        assertThat(byUs.rowCount()).isEqualTo(12);
        TableAssert.assertEqual(byUs, byOracle);
      }
    }
    add("c", "7").theirs().accept(uri);
    try (Dataset filled = open(uri);
        ArrowTable read = Tables.drain(filled.scan().open(), allocator)) {
      assertThat(read.column("c").getObject(11)).isEqualTo(7L);
      assertThat(read.column("n").getNullCount()).isEqualTo(12);
    }
  }

  /** What the real library aborts on: it reads what we made of it. */
  @ParameterizedTest
  @MethodSource("cells")
  void castsAndDropsOfNestedFieldsAreReadByBoth(Cell cell) {
    String uri = folder.resolve("ours.lance").toString();
    create(uri, cell, true);
    try (Dataset made = open(uri);
        Dataset cast =
            made.alterColumns(
                ColumnChange.cast("st.a", new ArrowType.Int(64, true)),
                ColumnChange.cast("v", new ArrowType.Int(64, true)));
        ArrowTable byUs = Tables.drain(cast.scan().open(), allocator);
        ArrowTable byOracle = oracle.scan(uri, allocator)) {
      TableAssert.assertEqual(byUs, byOracle);
    }
  }

  /** The real library aborts when it appends to such a table of version 2.0, but reads it. */
  @ParameterizedTest
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1", "V2_2"})
  void rowsAreAppendedAfterACastOfANestedField(FileVersion version) {
    String uri = folder.resolve("cast.lance").toString();
    List<Field> before = List.of(SampleFields.struct("st", SampleFields.int32("a")), Z);
    List<Field> after = List.of(SampleFields.struct("st", SampleFields.int64("a")), Z);
    try (ArrowTable rows = data(before, 5, 1);
        ArrowTable more = data(after, 5, 2);
        Dataset made =
            Dataset.write(uri).allocator(allocator).fileVersion(version).from(rows.root());
        Dataset cast = made.alterColumns(ColumnChange.cast("st.a", new ArrowType.Int(64, true)));
        Dataset appended = cast.append(more.root())) {
      assertThat(appended.countRows()).isEqualTo(10);
      if (version != FileVersion.V2_0) {
        oracle.append(uri, more);
      }
    }
    try (Dataset latest = open(uri);
        ArrowTable byUs = Tables.drain(latest.scan().open(), allocator);
        ArrowTable byOracle = oracle.scan(uri, allocator)) {
      assertThat(byUs.rowCount()).isEqualTo(version == FileVersion.V2_0 ? 10 : 15);
      TableAssert.assertEqual(byUs, byOracle);
    }
  }

  /** The real library drops the whole list. */
  @ParameterizedTest
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1"})
  void aFieldOfTheItemsOfAListIsDroppedAlone(FileVersion version) {
    Field item = SampleFields.struct("item", SampleFields.int32("a"), SampleFields.utf8("b"));
    List<Field> fields = List.of(SampleFields.int32("k"), SampleFields.list("l", item));
    String uri = folder.resolve("ours.lance").toString();
    try (ArrowTable rows = data(fields, 60, 1);
        Dataset made =
            Dataset.write(uri).allocator(allocator).fileVersion(version).from(rows.root());
        Dataset dropped = made.dropColumns("l.item.a");
        ArrowTable byUs = Tables.drain(dropped.scan().open(), allocator);
        ArrowTable byOracle = oracle.scan(uri, allocator)) {
      TableAssert.assertEqual(byUs, byOracle);
      TableAssert.assertEqual(child(rows, "b"), child(byUs, "b"), child(rows, "b").getValueCount());
      assertThat(child(rows, "b").getValueCount()).isPositive();
      assertThat(child(byUs, "a")).isNull();
    }
  }

  private static FieldVector child(ArrowTable table, String name) {
    return ((StructVector) ((ListVector) table.column("l")).getDataVector()).getChild(name);
  }

  @Test
  void patchedColumnsAreReadByBoth() {
    String uri = folder.resolve("ours.lance").toString();
    create(uri, new Cell(FileVersion.V2_1, false, Turns.OURS), true);
    List<Field> fields =
        List.of(Field.nullable("_rowid", new ArrowType.Int(64, false)), FIELDS.get(2));
    try (Dataset made = open(uri);
        ArrowTable right = data(fields, 3, 9)) {
      ((UInt8Vector) right.column("_rowid")).set(0, 0L);
      ((UInt8Vector) right.column("_rowid")).set(1, 4L);
      ((UInt8Vector) right.column("_rowid")).set(2, 1L << 40);
      FragmentColumns.Updated updated =
          made.fragmentColumns(0).update(BatchSource.of(right.root(), null), "_rowid", "_rowid");
      assertThat(updated.offsets()).containsExactly(0L, 4L);
      made.evolution().commit(FragmentColumns.operation(List.of(updated)));
      try (Dataset next = made.latest();
          ArrowTable byUs = Tables.drain(next.scan().open(), allocator);
          ArrowTable byOracle = oracle.scan(uri, allocator)) {
        TableAssert.assertEqual(byUs, byOracle);
        assertThat(byUs.column("s").getObject(0)).isEqualTo(right.column("s").getObject(0));
        assertThat(byUs.column("s").getObject(4)).isEqualTo(right.column("s").getObject(1));
      }
    }
  }
}
