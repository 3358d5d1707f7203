package dev.lance4j;

import static dev.lance4j.Cells.INT32;
import static dev.lance4j.Cells.INT64;
import static dev.lance4j.Cells.UINT64;
import static dev.lance4j.Cells.UTF8;
import static dev.lance4j.Cells.batch;
import static dev.lance4j.Cells.nullable;
import static dev.lance4j.Cells.required;
import static dev.lance4j.Cells.row;
import static dev.lance4j.Cells.rows;
import static dev.lance4j.Cells.schema;
import static dev.lance4j.Cells.struct;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.Transaction;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.Checkpoints;
import dev.lance4j.write.ColumnChange;
import dev.lance4j.write.FragmentColumns;
import dev.lance4j.write.Insert;
import dev.lance4j.write.InsertOptions;
import dev.lance4j.write.NewColumns;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases of the specification of schema evolution, S1 to S28. */
class SchemaEvolutionTest {
  private static final String URI = "table.lance";
  private static final Field K = nullable("k", INT32);
  private static final Field V = nullable("v", INT32);
  private static final Field S = nullable("s", UTF8);
  private static final Schema T = schema(K, V, S);

  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store = new MemoryObjectStore();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private WriteBuilder write() {
    return Dataset.write(URI).store(store).allocator(allocator);
  }

  @SafeVarargs
  private Dataset create(WriteBuilder builder, Schema schema, List<Object>... rows) {
    try (VectorSchemaRoot batch = batch(allocator, schema, rows)) {
      return builder.from(batch);
    }
  }

  /** Two fragments of as many rows each, {@code k} from 0 on, {@code v} ten times as much. */
  private Dataset create(WriteBuilder builder, int rowsPerFragment) {
    try (VectorSchemaRoot batch =
        batch(
            allocator,
            T,
            IntStream.range(0, 2 * rowsPerFragment)
                .mapToObj(k -> row(k, k * 10, "s" + k))
                .toList())) {
      return builder.maxRowsPerFile(rowsPerFragment).from(batch);
    }
  }

  private Dataset create() {
    return create(write(), 2);
  }

  @SafeVarargs
  private BatchSource source(Schema schema, List<Object>... rows) {
    VectorSchemaRoot batch = batch(allocator, schema, rows);
    open.add(batch);
    return BatchSource.of(batch, null);
  }

  private final List<VectorSchemaRoot> open = new ArrayList<>();

  private void closeSources() {
    open.forEach(VectorSchemaRoot::close);
    open.clear();
  }

  private static Map<String, String> columns(String... namesAndExpressions) {
    Map<String, String> columns = new LinkedHashMap<>();
    for (int i = 0; i < namesAndExpressions.length; i += 2) {
      columns.put(namesAndExpressions[i], namesAndExpressions[i + 1]);
    }
    return columns;
  }

  private static List<List<Integer>> fields(Dataset dataset, int fragment) {
    return dataset.fragments().get(fragment).files().stream().map(DataFile::fieldIds).toList();
  }

  private static int id(Dataset dataset, String column) {
    return dataset.lanceSchema().field(column).id();
  }

  private static Field field(Dataset dataset, String column) {
    return dataset.schema().findField(column);
  }

  private static List<Object> column(Dataset dataset, String name) {
    return rows(dataset.scan().select(name).open()).stream().map(row -> row.get(0)).toList();
  }

  private List<String> dataFiles() {
    List<String> files = new ArrayList<>();
    store.list(
        URI + "/data",
        name -> {
          files.add(name);
          return true;
        });
    return files;
  }

  private Dataset now() {
    return Dataset.open(URI, OpenOptions.builder().store(store).allocator(allocator).build());
  }

  private void refuses(Runnable change, Class<? extends Exception> error, String message) {
    long version;
    List<String> files = dataFiles();
    try (Dataset before = now()) {
      version = before.version();
    }
    assertThatThrownBy(change::run).isInstanceOf(error).hasMessageContaining(message);
    try (Dataset after = now()) {
      assertThat(after.version()).isEqualTo(version);
    }
    assertThat(dataFiles()).containsExactlyInAnyOrderElementsOf(files);
  }

  @ParameterizedTest // S1
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1", "V2_2"})
  void addsColumnsByExpressions(FileVersion version) {
    try (Dataset made = create(write().fileVersion(version), 2);
        Dataset added = made.addColumns(columns("w", "v + k", "c", "1"))) {
      assertThat(added.version()).isEqualTo(2);
      assertThat(fields(added, 0)).containsExactly(List.of(0, 1, 2), List.of(3, 4));
      assertThat(fields(added, 1)).containsExactly(List.of(0, 1, 2), List.of(3, 4));
      assertThat(field(added, "w")).isEqualTo(nullable("w", INT32));
      assertThat(field(added, "c")).isEqualTo(required("c", INT64));
      assertThat(rows(added))
          .containsExactly(
              row(0, 0, "s0", 0, 1L),
              row(1, 10, "s1", 11, 1L),
              row(2, 20, "s2", 22, 1L),
              row(3, 30, "s3", 33, 1L));
      assertThat(rows(made))
          .containsExactly(row(0, 0, "s0"), row(1, 10, "s1"), row(2, 20, "s2"), row(3, 30, "s3"));
    }
  }

  @Test // S2, S3
  void constantNullsAreMetadataOnly() {
    try (Dataset made = create();
        Dataset added = made.addColumns(columns("w", "cast(null as int)"))) {
      assertThat(added.fragments()).isEqualTo(made.fragments());
      assertThat(id(added, "w")).isEqualTo(3);
      assertThat(column(added, "w")).containsExactly(null, null, null, null);
    }
    try (Dataset made = create(write().mode(WriteMode.OVERWRITE), 2);
        Dataset added = made.addColumns(columns("w", "cast(null as int)", "x", "k"))) {
      assertThat(fields(added, 0)).containsExactly(List.of(0, 1, 2), List.of(3, 4));
      assertThat(column(added, "w")).containsExactly(null, null, null, null);
      assertThat(column(added, "x")).containsExactly(0, 1, 2, 3);
    }
  }

  @Test // S4
  void addsColumnsWithoutValues() {
    Field deep = struct("deep", nullable("a", INT32), nullable("b", UTF8));
    try (Dataset made = create();
        Dataset added = made.addColumns(schema(deep, nullable("z", INT64)))) {
      assertThat(added.fragments()).isEqualTo(made.fragments());
      assertThat(added.lanceSchema().flatten())
          .extracting(LanceField::id)
          .containsExactly(0, 1, 2, 3, 4, 5, 6);
      assertThat(rows(added).get(3)).isEqualTo(row(3, 30, "s3", null, null));
      refuses(
          () -> added.addColumns(schema(required("y", INT32))).close(),
          InvalidInputException.class,
          "All-null columns must be nullable");
      refuses(
          () -> added.addColumns(schema(struct("y", required("a", INT32)))).close(),
          InvalidInputException.class,
          "'a'");
    }
  }

  @Test // S5
  void refusesColumnsThatDoNotFit() {
    try (Dataset made = create()) {
      refuses(
          () -> made.addColumns(columns("v", "k")).close(),
          SchemaMismatchException.class,
          "Column 'v' already exists");
      refuses(
          () -> made.addColumns(columns("w", "nothere + 1")).close(),
          InvalidInputException.class,
          "nothere");
      refuses(
          () -> made.addColumns(columns("_rowid", "1")).close(),
          SchemaMismatchException.class,
          "_rowid");
      refuses(
          () -> made.addColumns(columns("a.b", "1")).close(), SchemaMismatchException.class, "a.b");
      refuses(
          () -> made.addColumns(columns("w", "20 / (k - 3)")).close(),
          InvalidInputException.class,
          "zero");
    }
  }

  @ParameterizedTest // S6
  @ValueSource(ints = {3, 4, 5})
  void addsARowForEachRowOfASource(int count) {
    try (Dataset made = create();
        VectorSchemaRoot one = batch(allocator, schema(nullable("w", UTF8)), row("a"));
        VectorSchemaRoot more =
            batch(
                allocator,
                schema(nullable("w", UTF8)),
                IntStream.range(1, count).mapToObj(i -> row("w" + i)).toList())) {
      BatchSource rows = BatchSource.of(one.getSchema(), List.of(one, more).iterator(), null);
      if (count == 4) {
        try (Dataset added = made.addColumns(NewColumns.rows(rows))) {
          assertThat(column(added, "w")).containsExactly("a", "w1", "w2", "w3");
          assertThat(fields(added, 1)).containsExactly(List.of(0, 1, 2), List.of(3));
        }
      } else {
        refuses(
            () -> made.addColumns(NewColumns.rows(rows)).close(),
            InvalidInputException.class,
            count < 4 ? "ended before" : "more rows");
      }
    }
  }

  static List<Object[]> deletions() {
    List<Object[]> cells = new ArrayList<>();
    for (String deleted : List.of("k IN (0, 4)", "k IN (1, 2)", "k >= 4", "k <> 3")) {
      for (FileVersion version : List.of(FileVersion.V2_0, FileVersion.V2_1, FileVersion.V2_2)) {
        cells.add(new Object[] {deleted, version, false});
        cells.add(new Object[] {deleted, version, true});
      }
    }
    return cells;
  }

  @ParameterizedTest // S7
  @MethodSource("deletions")
  void newFilesHaveTheDeletedRowsToo(String deleted, FileVersion version, boolean stable) {
    Map<String, String> columns = columns("w", "k * 100", "r", "7");
    try (Dataset made = create(write().fileVersion(version).stableRowIds(stable), 3);
        Dataset less = made.delete(deleted).dataset();
        Dataset added = less.addColumns(columns)) {
      assertThat(added.countRows()).isEqualTo(less.countRows());
      List<List<Object>> expected = new ArrayList<>();
      for (List<Object> old : rows(less.scan().select("_rowid", "k").open())) {
        expected.add(row(old.get(0), old.get(1), (Integer) old.get(1) * 100, 7L));
      }
      assertThat(rows(added.scan().select("_rowid", "k", "w", "r").open())).isEqualTo(expected);
      assertThat(added.fragments()).extracting(FragmentMetadata::physicalRows).containsOnly(3L);
      assertThat(added.fragments())
          .extracting(FragmentMetadata::deletionFile)
          .isEqualTo(less.fragments().stream().map(FragmentMetadata::deletionFile).toList());
    }
  }

  @Test // S8
  void renamesColumns() {
    try (Dataset made = create();
        Dataset renamed = made.alterColumns(ColumnChange.rename("v", "vv"))) {
      assertThat(renamed.lanceSchema().field("vv").id()).isEqualTo(1);
      assertThat(renamed.fragments()).isEqualTo(made.fragments());
      assertThat(column(renamed, "vv")).containsExactly(0, 10, 20, 30);
      assertThat(column(made, "v")).containsExactly(0, 10, 20, 30);
      refuses(
          () -> renamed.alterColumns(ColumnChange.rename("vv", "k")).close(),
          SchemaMismatchException.class,
          "Duplicate field name 'k'");
      refuses(
          () -> renamed.alterColumns(ColumnChange.rename("vv", "a.b")).close(),
          SchemaMismatchException.class,
          "a.b");
      refuses(
          () -> renamed.alterColumns(ColumnChange.rename("vv", "_rowid")).close(),
          SchemaMismatchException.class,
          "reserved");
      refuses(
          () -> renamed.alterColumns(ColumnChange.rename("v", "w")).close(),
          InvalidInputException.class,
          "'v' does not exist");
      try (Dataset swapped =
          renamed.alterColumns(ColumnChange.rename("k", "vv"), ColumnChange.rename("vv", "k"))) {
        assertThat(column(swapped, "k")).containsExactly(0, 10, 20, 30);
        assertThat(column(swapped, "vv")).containsExactly(0, 1, 2, 3);
      }
    }
  }

  @ParameterizedTest // S9
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1", "V2_2"})
  void castsColumns(FileVersion version) {
    try (Dataset made = create(write().fileVersion(version), 2);
        Dataset cast = made.alterColumns(ColumnChange.cast("s", ArrowType.LargeUtf8.INSTANCE))) {
      assertThat(fields(cast, 0)).containsExactly(List.of(0, 1, 2), List.of(3));
      assertThat(id(cast, "s")).isEqualTo(3);
      assertThat(field(cast, "s")).isEqualTo(nullable("s", ArrowType.LargeUtf8.INSTANCE));
      assertThat(rows(cast)).isEqualTo(rows(made));
      // The only other field of the file is cast as well, so that the file is not needed any more.
      try (Dataset again =
          cast.alterColumns(
              ColumnChange.cast("s", UTF8).renamedTo("t"),
              ColumnChange.cast("k", INT64).madeNullable(false))) {
        assertThat(fields(again, 1)).containsExactly(List.of(0, 1, 2), List.of(4, 5));
        assertThat(field(again, "k")).isEqualTo(required("k", INT64));
        assertThat(column(again, "t")).containsExactly("s0", "s1", "s2", "s3");
        assertThat(column(again, "k")).containsExactly(0L, 1L, 2L, 3L);
      }
    }
  }

  @Test
  void castingToTheSameTypeWritesNothing() {
    try (Dataset made = create();
        Dataset cast = made.alterColumns(ColumnChange.cast("v", INT32))) {
      assertThat(cast.version()).isEqualTo(2);
      assertThat(cast.fragments()).isEqualTo(made.fragments());
      assertThat(cast.lanceSchema()).isEqualTo(made.lanceSchema());
    }
  }

  @Test // S10
  void refusesCastsThatWouldLoseValues() {
    ArrowType int8 = new ArrowType.Int(8, true);
    try (Dataset made = create(write(), schema(K, S), row(1, "one"), row(1024, "many"))) {
      refuses(
          () -> made.alterColumns(ColumnChange.cast("k", UTF8)).close(),
          InvalidInputException.class,
          "Cannot cast column 'k'");
      refuses(
          () -> made.alterColumns(ColumnChange.cast("k", int8)).close(),
          InvalidInputException.class,
          "1024");
      try (Dataset less = made.delete("k = 1024").dataset();
          Dataset cast = less.alterColumns(ColumnChange.cast("k", int8))) {
        assertThat(rows(cast)).containsExactly(row((byte) 1, "one"));
      }
    }
  }

  /** A column, what it is cast to, and its value in the row {@code k} afterwards. */
  record Cast(String column, ArrowType to, IntFunction<Object> expected) {}

  static List<Cast> casts() {
    ArrowType float32 = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
    return List.of(
        new Cast("k", new ArrowType.Int(16, false), k -> (char) k),
        new Cast("cast(k as bigint)", new ArrowType.Int(8, true), k -> (byte) k),
        new Cast("cast(k as double) / 4", float32, k -> k / 4f),
        new Cast(
            "cast(k as decimal(9, 2))",
            new ArrowType.Decimal(20, 4, 128),
            k -> new BigDecimal(k).setScale(4)),
        new Cast(
            "cast(k as date)",
            new ArrowType.Timestamp(TimeUnit.MILLISECOND, null),
            k -> LocalDate.ofEpochDay(k).atStartOfDay()),
        new Cast("k > 1", ArrowType.Bool.INSTANCE, k -> k > 1));
  }

  @ParameterizedTest
  @MethodSource("casts")
  void castsWithinAFamily(Cast cast) {
    try (Dataset made = create();
        Dataset typed = made.addColumns(columns("x", cast.column()));
        Dataset less = typed.delete("k = 1").dataset();
        Dataset changed = less.alterColumns(ColumnChange.cast("x", cast.to()))) {
      assertThat(field(changed, "x").getType()).isEqualTo(cast.to());
      assertThat(column(changed, "x"))
          .containsExactly(
              cast.expected().apply(0), cast.expected().apply(2), cast.expected().apply(3));
    }
  }

  @Test
  void castsTheItemsOfLists() {
    Field longs = nullable("x", ArrowType.LargeList.INSTANCE, nullable("item", INT64));
    try (Dataset made = create();
        Dataset listed = made.addColumns(columns("x", "make_array(k, v)"));
        Dataset cast = listed.alterColumns(ColumnChange.cast("x", longs))) {
      assertThat(field(cast, "x")).isEqualTo(longs);
      assertThat(column(cast, "x"))
          .containsExactly(List.of(0L, 0L), List.of(1L, 10L), List.of(2L, 20L), List.of(3L, 30L));
      assertThatThrownBy(() -> ColumnChange.cast("x", ArrowType.LargeList.INSTANCE))
          .isInstanceOf(InvalidInputException.class);
      refuses(
          () -> cast.alterColumns(ColumnChange.cast("x.item", INT32)).close(),
          InvalidInputException.class,
          "stored as a whole");
    }
  }

  @Test // S11, S12
  void changesWhetherAColumnMayBeNull() {
    try (Dataset made = create(write(), schema(K, V), row(1, 2), row(null, 3))) {
      refuses(
          () -> made.alterColumns(ColumnChange.nullable("k", false)).close(),
          InvalidInputException.class,
          "Column 'k' contains NULL values");
      try (Dataset strict = made.alterColumns(ColumnChange.nullable("v", false));
          Dataset loose = strict.alterColumns(ColumnChange.nullable("v", true));
          Dataset less = loose.delete("k IS NULL").dataset();
          Dataset both =
              less.alterColumns(
                  ColumnChange.nullable("k", false), ColumnChange.nullable("v", false))) {
        assertThat(field(strict, "v").isNullable()).isFalse();
        assertThat(field(loose, "v").isNullable()).isTrue();
        assertThat(rows(both)).containsExactly(row(1, 2));
        assertThat(field(both, "k").isNullable()).isFalse();
      }
    }
  }

  @Test
  void aChildOfANullStructIsNoNull() {
    Field st = struct("st", nullable("a", INT32), nullable("b", INT32));
    try (Dataset made =
        create(write(), schema(st), row(row(1, 2)), row((Object) null), row(row(3, null)))) {
      try (Dataset strict = made.alterColumns(ColumnChange.nullable("st.a", false))) {
        assertThat(strict.lanceSchema().field("st").child("a").nullable()).isFalse();
        assertThat(rows(strict)).isEqualTo(rows(made));
      }
      refuses(
          () -> made.latest().alterColumns(ColumnChange.nullable("st.b", false)).close(),
          InvalidInputException.class,
          "'st.b' contains NULL");
    }
  }

  @Test
  void aColumnThatNoFileHoldsIsNull() {
    try (Dataset made = create();
        Dataset added = made.addColumns(schema(nullable("n", INT32)))) {
      refuses(
          () -> added.alterColumns(ColumnChange.nullable("n", false)).close(),
          InvalidInputException.class,
          "contains NULL");
    }
  }

  @Test // S13
  void dropsColumns() {
    try (Dataset made = create();
        Dataset dropped = made.dropColumns("v")) {
      assertThat(dropped.fragments()).isEqualTo(made.fragments());
      assertThat(rows(dropped))
          .containsExactly(row(0, "s0"), row(1, "s1"), row(2, "s2"), row(3, "s3"));
      refuses(
          () -> dropped.dropColumns("k", "s").close(),
          InvalidInputException.class,
          "Cannot drop all columns");
      refuses(
          () -> dropped.dropColumns("v").close(), InvalidInputException.class, "does not exist");
      refuses(
          () -> dropped.dropColumns("K").close(), InvalidInputException.class, "does not exist");
      try (Dataset old = dropped.checkout(1)) {
        assertThat(column(old, "v")).containsExactly(0, 10, 20, 30);
      }
    }
  }

  @Test // S14
  void aNewColumnNeverGetsTheValuesOfADroppedOne() {
    try (Dataset made = create();
        Dataset dropped = made.dropColumns("s");
        Dataset added = dropped.addColumns(schema(nullable("s", INT32)))) {
      assertThat(id(added, "s")).isEqualTo(3);
      assertThat(column(added, "s")).containsExactly(null, null, null, null);
    }
  }

  @Test // S15
  void aFileWithoutFieldsLeavesTheTable() {
    try (Dataset made = create();
        Dataset added = made.addColumns(columns("w", "k"));
        Dataset dropped = added.dropColumns("w");
        Dataset again = dropped.addColumns(columns("w2", "k + 1"))) {
      assertThat(fields(dropped, 0)).containsExactly(List.of(0, 1, 2));
      assertThat(id(again, "w2")).isEqualTo(3);
      assertThat(column(again, "w2")).containsExactly(1, 2, 3, 4);
      try (Dataset old = again.checkout(2)) {
        assertThat(column(old, "w")).containsExactly(0, 1, 2, 3);
      }
    }
  }

  @Test
  void rowsStayWhenNoFileHoldsAColumnAnyMore() {
    try (Dataset made = create(write(), schema(K), row(1), row(2));
        Dataset added = made.addColumns(schema(nullable("n", INT32)));
        Dataset dropped = added.dropColumns("k")) {
      assertThat(dropped.countRows()).isEqualTo(2);
      assertThat(rows(dropped)).containsExactly(row((Object) null), row((Object) null));
      assertThat(fields(dropped, 0)).containsExactly(List.of(0));
      try (Dataset filled = dropped.addColumns(columns("c", "5"))) {
        assertThat(fields(filled, 0)).containsExactly(List.of(2));
        assertThat(rows(filled)).containsExactly(row(null, 5L), row(null, 5L));
      }
    }
  }

  @Test // S17, S18
  void onlySomeChangesGoWithThoseOfOthers() {
    try (Dataset made = create();
        VectorSchemaRoot batch = batch(allocator, T, row(4, 40, "s4"));
        Dataset appended = made.append(batch)) {
      int files = dataFiles().size();
      assertThatThrownBy(() -> made.addColumns(columns("w", "k")).close())
          .isInstanceOfSatisfying(
              CommitConflictException.class, e -> assertThat(e.isRetryable()).isTrue());
      assertThat(dataFiles()).hasSize(files);
      try (Dataset renamed = made.alterColumns(ColumnChange.rename("v", "vv"))) {
        assertThat(column(renamed, "vv")).containsExactly(0, 10, 20, 30, 40);
        assertThat(appended.version()).isEqualTo(2);
        assertThat(renamed.version()).isEqualTo(3);
      }
    }
  }

  @ParameterizedTest // S19, S28
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1", "V2_2"})
  void updatesTheColumnsOfOneFragment(FileVersion version) {
    Schema right = schema(K, V);
    try (Dataset made = create(write().fileVersion(version), 2)) {
      FragmentColumns.Updated updated =
          made.fragmentColumns(1)
              .update(source(right, row(2, 99), row(7, 1), row(2, 98)), "k", "k");
      closeSources();
      assertThat(updated.fragment().files())
          .extracting(DataFile::fieldIds)
          .containsExactly(List.of(0, DataFile.TOMBSTONE, 2), List.of(1));
      assertThat(updated.fieldsModified()).containsExactly(1);
      assertThat(updated.offsets()).containsExactly(0L);
      try (Dataset next = commit(made, FragmentColumns.operation(List.of(updated)))) {
        assertThat(column(next, "v")).containsExactly(0, 10, 99, 30);
        assertThat(column(next, "s")).containsExactly("s0", "s1", "s2", "s3");
      }
    }
  }

  @Test
  void updatesColumnsByRowIdBesideDeletedRows() {
    Schema right = schema(nullable("_rowid", UINT64), V, S);
    try (Dataset made = create(write(), 3);
        Dataset less = made.delete("k IN (3, 4)").dataset()) {
      long rowId = (1L << 32) + 2;
      FragmentColumns.Updated updated =
          less.fragmentColumns(1)
              .update(source(right, row(rowId, 99, "new"), row(3L, 1, "no")), "_rowid", "_rowid");
      closeSources();
      assertThat(updated.offsets()).containsExactly(2L);
      assertThat(updated.fieldsModified()).containsExactly(1, 2);
      assertThat(updated.fragment().deletionFile())
          .isEqualTo(less.fragments().get(1).deletionFile());
      try (Dataset next = commit(less, FragmentColumns.operation(List.of(updated)))) {
        assertThat(rows(next))
            .containsExactly(
                row(0, 0, "s0"), row(1, 10, "s1"), row(2, 20, "s2"), row(5, 99, "new"));
      }
    }
  }

  @Test
  void onlyTheRowsThatGotOtherValuesAreUpdated() {
    try (Dataset made = create(write().stableRowIds(true), 3)) {
      FragmentColumns.Updated first =
          made.fragmentColumns(0).update(source(schema(K, V), row(2, 99), row(3, 98)), "k", "k");
      FragmentColumns.Updated second =
          made.fragmentColumns(1).update(source(schema(K, V), row(9, 97)), "k", "k");
      closeSources();
      assertThat(second.fragment()).isEqualTo(made.fragments().get(1));
      Operation.Update both = FragmentColumns.operation(List.of(first, second));
      assertThat(both.updatedFragments()).containsExactly(first.fragment());
      try (Dataset next = commit(made, both)) {
        assertThat(column(next, "v")).containsExactly(0, 10, 99, 30, 40, 50);
        assertThat(versions(next))
            .containsExactly(
                row(1L, 1L), row(1L, 1L), row(1L, 2L), row(1L, 1L), row(1L, 1L), row(1L, 1L));
        assertThat(column(next, "_rowid")).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
      }
    }
  }

  private Dataset commit(Dataset dataset, Operation operation) {
    Table table = Table.at(new StoreLocation(store, URI, URI));
    new Committer(table, CommitOptions.DEFAULT)
        .commit(table.latest(), Transaction.of(dataset.version(), operation));
    return dataset.latest();
  }

  @Test // S20, S28
  void refusesUpdatesThatDoNotFit() {
    try (Dataset made = create()) {
      FragmentColumns fragment = made.fragmentColumns(0);
      refuses(
          () -> fragment.update(source(schema(K, nullable("z", INT32)), row(1, 1)), "k", "k"),
          SchemaMismatchException.class,
          "'z' does not exist");
      refuses(
          () -> fragment.update(source(schema(K, nullable("v", INT64)), row(1, 1L)), "k", "k"),
          SchemaMismatchException.class,
          "'v' should have type int32");
      refuses(
          () ->
              fragment.update(
                  source(schema(nullable("_rowid", INT64), V), row(1L, 1)), "_rowid", "_rowid"),
          SchemaMismatchException.class,
          "uint64");
      assertThatThrownBy(() -> made.fragmentColumns(7)).isInstanceOf(InvalidInputException.class);
      closeSources();
    }
  }

  @Test // S21, S22, S23
  void replacesTheFilesOfAFragment() {
    try (Dataset made = create()) {
      DataFile whole = written(T, row(5, 50, "five"), row(6, 60, "six"));
      DataFile tooShort = written(T, row(5, 50, "five"));
      DataFile part = written(schema(K), row(5), row(6));
      refuses(
          () -> commit(made, replacement(1, tooShort)).close(),
          InvalidInputException.class,
          "has 1 rows, but fragment 1 has 2");
      refuses(
          () -> commit(made, replacement(1, part)).close(), InvalidInputException.class, "exactly");
      refuses(() -> commit(made, replacement(9, whole)).close(), InvalidInputException.class, "9");
      try (Dataset next = commit(made, replacement(1, whole))) {
        assertThat(rows(next))
            .containsExactly(
                row(0, 0, "s0"), row(1, 10, "s1"), row(5, 50, "five"), row(6, 60, "six"));
        assertThat(next.fragments()).extracting(FragmentMetadata::id).containsExactly(0L, 1L);
      }
    }
  }

  @Test
  void checksReplacedRowsAgainstTheVersionThatIsBuiltOn() {
    try (Dataset made = create();
        Dataset longer =
            commit(
                made,
                new Operation.Append(
                    List.of(
                        FragmentMetadata.of(
                            List.of(written(T, row(7, 70, "seven"), row(8, 80, "eight"))), 2))))) {
      Operation tooShort = replacement(2, written(T, row(5, 50, "five")));
      Table table = Table.at(new StoreLocation(store, URI, URI));
      Committer committer = new Committer(table, CommitOptions.DEFAULT);
      long read = longer.version();

      refuses(
          () -> committer.commit(table.version(made.version()), Transaction.of(read, tooShort)),
          InvalidInputException.class,
          "has 1 rows, but fragment 2 has 2");
      refuses(
          () -> committer.commitDetached(table.version(read), Transaction.of(read, tooShort)),
          InvalidInputException.class,
          "has 1 rows, but fragment 2 has 2");
    }
  }

  private static Operation replacement(long fragment, DataFile file) {
    return new Operation.DataReplacement(List.of(new Operation.Replacement(fragment, file)));
  }

  @SafeVarargs
  private DataFile written(Schema schema, List<Object>... rows) {
    Table table = Table.at(new StoreLocation(store, URI, URI));
    Insert insert = new Insert(table, InsertOptions.defaults(allocator));
    DataFile file =
        insert
            .prepareAppend(table.latest(), source(schema, rows))
            .fragments()
            .get(0)
            .files()
            .get(0);
    closeSources();
    return file;
  }

  @Test // S24
  void refusesAMergeThatLosesFragments() {
    try (Dataset made = create()) {
      refuses(
          () ->
              commit(made, new Operation.Merge(made.fragments().subList(0, 1), made.lanceSchema()))
                  .close(),
          InvalidInputException.class,
          "missing original fragments");
    }
  }

  @Test // S25
  void dataFollowsTheIds() {
    try (Dataset made = create()) {
      List<LanceField> fields = new ArrayList<>(made.lanceSchema().fields());
      LanceField k = fields.get(0).withId(1);
      fields.set(0, fields.get(1).withId(0));
      fields.set(1, k);
      Operation project = new Operation.Project(new LanceSchema(fields, Map.of()));
      try (Dataset swapped = commit(made, project)) {
        assertThat(rows(swapped.scan().select("v", "k").open()).get(3)).isEqualTo(row(3, 30));
      }
    }
  }

  @Test // S26
  void joinsColumnsByKey() {
    Schema right = schema(K, nullable("w", UTF8), nullable("x", INT64));
    try (Dataset made = create()) {
      try (Dataset joined =
          joined(made, right, row(3, "three", 33L), row(1, "one", null), row(9, "nine", 99L))) {
        assertThat(rows(joined.scan().select("k", "w", "x").open()))
            .containsExactly(
                row(0, null, null), row(1, "one", null), row(2, null, null), row(3, "three", 33L));
        assertThat(fields(joined, 1)).containsExactly(List.of(0, 1, 2), List.of(3, 4));
      }
      refuses(
          () -> joined(made, schema(K, V), row(1, 1)).close(),
          SchemaMismatchException.class,
          "'v' already exists");
      refuses(
          () ->
              joined(made, schema(nullable("k", INT64), nullable("y", INT32)), row(1L, 1)).close(),
          SchemaMismatchException.class,
          "differ in type");
      refuses(
          () -> joined(made, schema(nullable("j", INT32), nullable("y", INT32)), row(1, 1)).close(),
          InvalidInputException.class,
          "no column 'k'");
      refuses(
          () -> joined(made, schema(K, required("y", INT32)), row(1, 1)).close(),
          InvalidInputException.class,
          "'y' may not be null");
      refuses(
          () ->
              made.evolution()
                  .joinColumns(BatchSource.of(schema(K, nullable("y", INT32))), "k", "k"),
          InvalidInputException.class,
          "no batches");
    }
  }

  @SafeVarargs
  private Dataset joined(Dataset dataset, Schema right, List<Object>... rows) {
    try (Dataset latest = dataset.latest()) {
      Operation merge = latest.evolution().joinColumns(source(right, rows), "k", "k");
      return commit(latest, merge);
    } finally {
      closeSources();
    }
  }

  @Test
  void aNullKeyFindsANullKey() {
    Schema right = schema(K, nullable("w", UTF8));
    try (Dataset made = create(write(), schema(K), row(1), row((Object) null), row(2));
        Dataset joined = joined(made, right, row(null, "none"), row(1, "one"), row(1, "other"))) {
      assertThat(column(joined, "w")).containsExactly("one", "none", null);
    }
  }

  @ParameterizedTest // S27
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1", "V2_2"})
  void aStructWhoseFieldsNoFileHoldsIsNull(FileVersion version) {
    Field a = nullable("a", INT32);
    Field b = nullable("b", INT32);
    try (Dataset made =
            create(write().fileVersion(version), schema(K, struct("st", a, b)), row(0, row(1, 2)));
        VectorSchemaRoot part = batch(allocator, schema(K, struct("st", a)), row(1, row(3)));
        Dataset more = made.append(part);
        Dataset dropped = more.dropColumns("st.a")) {
      assertThat(rows(more)).containsExactly(row(0, row(1, 2)), row(1, row(3, null)));
      List<List<Object>> rows = rows(dropped);
      assertThat(rows.get(0)).isEqualTo(row(0, row(2)));
      // The header of a struct of version 2.0 tells that it is there.
      assertThat(rows.get(1).get(1)).isIn(null, row((Object) null));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1", "V2_2"})
  void nestedFieldsAreChangedByTheirPath(FileVersion version) {
    Field inner = struct("in", nullable("a", INT32), nullable("b", UTF8));
    Schema nested = schema(K, struct("st", inner, nullable("c", INT32)), struct("one", V));
    try (Dataset made =
            create(
                write().fileVersion(version).maxRowsPerFile(1),
                nested,
                row(0, row(row(1, "one"), 2), row(3)),
                row(4, row(row(5, "five"), 6), row(7)));
        Dataset renamed = made.alterColumns(ColumnChange.rename("st.in.b", "text"));
        Dataset cast =
            renamed.alterColumns(
                ColumnChange.cast("st.in.a", INT64),
                ColumnChange.cast("st.in.text", ArrowType.LargeUtf8.INSTANCE));
        Dataset dropped = cast.dropColumns("st.c", "one.v")) {
      assertThat(rows(cast))
          .containsExactly(
              row(0, row(row(1L, "one"), 2), row(3)), row(4, row(row(5L, "five"), 6), row(7)));
      assertThat(dropped.schema())
          .isEqualTo(
              schema(
                  K,
                  struct(
                      "st",
                      struct(
                          "in",
                          nullable("a", INT64),
                          nullable("text", ArrowType.LargeUtf8.INSTANCE)))));
      assertThat(rows(dropped))
          .containsExactly(row(0, row(row(1L, "one"))), row(4, row(row(5L, "five"))));
      assertThat(rows(made))
          .containsExactly(
              row(0, row(row(1, "one"), 2), row(3)), row(4, row(row(5, "five"), 6), row(7)));
      refuses(
          () -> made.alterColumns(ColumnChange.rename("st.in.a", "b")).close(),
          SchemaMismatchException.class,
          "Duplicate field name 'st.in.b'");
      refuses(
          () -> made.dropColumns("st.in.z").close(), InvalidInputException.class, "does not exist");
      // What another has cast meanwhile is another field.
      refuses(
          () -> made.alterColumns(ColumnChange.cast("st.c", INT64)).close(),
          CommitConflictException.class,
          "");
    }
  }

  @Test
  void computesColumnsByAFunction() {
    try (Dataset made = create(write(), 3);
        Dataset less = made.delete("k = 1").dataset();
        Dataset added =
            less.addColumns(
                NewColumns.computed(
                    List.of("v", "k"), schema(nullable("w", INT32)), batch -> sum(batch)))) {
      assertThat(column(added, "w")).containsExactly(0, 22, 33, 44, 55);
      refuses(
          () ->
              added
                  .addColumns(
                      NewColumns.computed(
                          List.of("k"),
                          schema(nullable("x", INT32)),
                          batch -> batch(allocator, schema(nullable("x", INT32)), row(1))))
                  .close(),
          InvalidInputException.class,
          "gave 1 rows for a batch of");
    }
  }

  private VectorSchemaRoot sum(VectorSchemaRoot batch) {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < batch.getRowCount(); i++) {
      rows.add(
          row(
              ((IntVector) batch.getVector("v")).get(i)
                  + ((IntVector) batch.getVector("k")).get(i)));
    }
    return batch(allocator, schema(nullable("w", INT32)), rows);
  }

  @Test
  void goesOnAfterAFailure() {
    List<Integer> computed = new ArrayList<>();
    Checkpoints kept = Checkpoints.in(folder.toString());
    int[] left = {7};
    NewColumns.Computed columns =
        NewColumns.computed(
                List.of("v", "k"),
                schema(nullable("w", INT32)),
                batch -> {
                  if (left[0]-- == 0) {
                    throw new IllegalStateException("the machine broke");
                  }
                  computed.add(batch.getRowCount());
                  return sum(batch);
                })
            .resumingFrom(kept);
    try (Dataset made = create(write(), 10)) {
      assertThatThrownBy(() -> made.evolution().withBatchSize(2).addColumns(columns))
          .hasMessage("the machine broke");
      left[0] = -1;
      Operation merge = made.evolution().withBatchSize(2).addColumns(columns);
      // Five batches for each of two fragments, none of them computed twice.
      assertThat(computed).hasSize(10).containsOnly(2);
      try (Dataset added = commit(made, merge)) {
        assertThat(column(added, "w"))
            .isEqualTo(IntStream.range(0, 20).mapToObj(k -> (Object) (k * 11)).toList());
      }
    }
  }

  @Test
  void checkpointsOfOtherRowsAreNotUsed() {
    Checkpoints kept = Checkpoints.in(folder.toString());
    NewColumns.Computed columns =
        NewColumns.computed(List.of("v", "k"), schema(nullable("w", INT32)), this::sum)
            .resumingFrom(kept);
    try (Dataset made = create(write(), 3)) {
      made.evolution().addColumns(columns);
      try (Dataset less = made.delete("k = 1").dataset();
          Dataset added = less.addColumns(columns)) {
        assertThat(column(added, "w")).containsExactly(0, 22, 33, 44, 55);
      }
    }
  }

  @Test
  void emptyTablesEvolveToo() {
    try (Dataset made = write().from(T);
        Dataset added = made.addColumns(columns("w", "k + v"));
        Dataset cast = added.alterColumns(ColumnChange.cast("s", ArrowType.LargeUtf8.INSTANCE));
        Dataset strict = cast.alterColumns(ColumnChange.nullable("v", false));
        Dataset dropped = strict.dropColumns("k")) {
      assertThat(dropped.fragments()).isEmpty();
      assertThat(dropped.lanceSchema().fields())
          .extracting(LanceField::name)
          .containsExactly("v", "s", "w");
      assertThat(dropped.lanceSchema().fields())
          .extracting(LanceField::id)
          .containsExactly(1, 4, 3);
      assertThat(rows(dropped)).isEmpty();
    }
  }

  @Test
  void addedAndCastColumnsCountAsUpdatesOfStableRows() {
    try (Dataset made = create(write().stableRowIds(true), 2);
        Dataset added = made.addColumns(columns("w", "k"));
        Dataset renamed = added.alterColumns(ColumnChange.rename("w", "x"));
        Dataset nothing = renamed.addColumns(schema(nullable("n", INT32)));
        Dataset cast = nothing.alterColumns(ColumnChange.cast("v", INT64));
        Dataset dropped = cast.dropColumns("x")) {
      assertThat(versions(added)).containsOnly(row(1L, 2L));
      assertThat(versions(nothing)).containsOnly(row(1L, 2L));
      assertThat(versions(cast)).containsOnly(row(1L, 5L));
      assertThat(versions(dropped)).containsOnly(row(1L, 5L));
      assertThat(column(dropped, "_rowid")).containsExactly(0L, 1L, 2L, 3L);
    }
  }

  private static List<List<Object>> versions(Dataset dataset) {
    return rows(
        dataset.scan().select("_row_created_at_version", "_row_last_updated_at_version").open());
  }

  @Test
  void blobAndJsonColumnsAreAddedJoinedAndKept() {
    Field blob =
        new Field(
            "blob",
            new FieldType(
                true, ArrowType.LargeBinary.INSTANCE, null, Map.of("lance-encoding:blob", "true")),
            List.of());
    Field json =
        new Field(
            "json",
            new FieldType(true, UTF8, null, Map.of("ARROW:extension:name", "arrow.json")),
            List.of());
    try (Dataset made = create();
        Dataset less = made.delete("k = 2").dataset();
        Dataset joined =
            joined(
                less, schema(K, blob, json), row(3, "bytes", "{\"a\":1}"), row(0, "more", "[1]"));
        Dataset more = joined.addColumns(columns("a", "json_get_int(json, 'a')"));
        Dataset renamed =
            more.alterColumns(ColumnChange.rename("blob", "b"), ColumnChange.rename("json", "j"))) {
      assertThat(rows(renamed.scan().select("k", "b", "j", "a").withBlobBytes().open()))
          .containsExactly(
              row(0, "more", "[1]", null),
              row(1, null, null, null),
              row(3, "bytes", "{\"a\":1}", 1L));
      refuses(
          () -> renamed.alterColumns(ColumnChange.cast("j", UTF8)).close(),
          InvalidInputException.class,
          "JSON");
      try (Dataset copied =
          renamed.addColumns(NewColumns.expressions(Map.of("b2", "b", "j2", "`j`")))) {
        assertThat(rows(copied.scan().select("k", "b2", "j2").withBlobBytes().open()))
            .containsExactly(
                row(0, "more", "[1]"), row(1, null, null), row(3, "bytes", "{\"a\":1}"));
        assertThat(copied.schema().findField("b2").getMetadata())
            .isEqualTo(copied.schema().findField("b").getMetadata());
        assertThat(copied.schema().findField("j2").getMetadata())
            .isEqualTo(copied.schema().findField("j").getMetadata());
      }
    }
  }

  @Test
  void fragmentsAreChangedOneByOne() {
    try (Dataset made = create()) {
      List<FragmentColumns.Added> added = new ArrayList<>();
      for (FragmentMetadata fragment : made.fragments()) {
        added.add(made.fragmentColumns(fragment.id()).add(NewColumns.expression("w", "k * 2")));
      }
      Operation merge =
          new Operation.Merge(
              added.stream().map(FragmentColumns.Added::fragment).toList(), added.get(0).schema());
      assertThat(added.get(1).schema()).isEqualTo(added.get(0).schema());
      try (Dataset next = commit(made, merge)) {
        assertThat(column(next, "w")).containsExactly(0, 2, 4, 6);
      }
    }
  }

  @Test
  void primaryKeysStayRequired() {
    Field key =
        new Field(
            "id",
            new FieldType(
                false, INT32, null, Map.of("lance-schema:unenforced-primary-key", "true")),
            List.of());
    try (Dataset made = create(write(), schema(key), row(1))) {
      refuses(
          () -> made.alterColumns(ColumnChange.nullable("id", true)).close(),
          InvalidInputException.class,
          "primary key");
      try (Dataset cast = made.alterColumns(ColumnChange.cast("id", INT64))) {
        assertThat(cast.lanceSchema().field("id").metadata())
            .containsEntry("lance-schema:unenforced-primary-key", "true");
      }
    }
  }
}
