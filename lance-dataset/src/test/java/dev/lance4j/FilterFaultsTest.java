package dev.lance4j;

import static dev.lance4j.Cells.INT32;
import static dev.lance4j.Cells.INT64;
import static dev.lance4j.Cells.UINT64;
import static dev.lance4j.Cells.UTF8;
import static dev.lance4j.Cells.nullable;
import static dev.lance4j.Cells.row;
import static dev.lance4j.Cells.rows;
import static dev.lance4j.Cells.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.Ordering;
import dev.lance4j.scan.expr.Literals;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Filters that users of the real library and its connectors reported to answer wrongly, on whole
 * tables. The same filters on a single batch are in the tests of the expressions.
 */
class FilterFaultsTest {
  private static final ArrowType UINT32 = new ArrowType.Int(32, false);
  private static final ArrowType DOUBLE =
      new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;
  private int tables;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @SafeVarargs
  private Dataset table(Preparation preparation, Schema schema, List<Object>... rows) {
    List<List<Object>> all = new ArrayList<>();
    for (List<Object> row : rows) {
      all.add(row);
    }
    return table(preparation, schema, all);
  }

  private Dataset table(Preparation preparation, Schema schema, List<List<Object>> rows) {
    String uri = folder.resolve("t" + tables++).toString();
    String[] columns =
        schema.getFields().stream()
            .map(Field::getName)
            .filter(n -> !n.equals("n"))
            .toArray(String[]::new);
    try (VectorSchemaRoot batch = Cells.batch(allocator, schema, rows)) {
      return preparation.create(uri, batch, allocator, columns);
    }
  }

  /** The values of the first column where a condition is true, in the order of the table. */
  private static List<Object> where(Dataset dataset, String filter) {
    List<Object> values = new ArrayList<>();
    rows(dataset.scan().where(filter).open()).forEach(row -> values.add(row.get(0)));
    assertThat(dataset.countRows(filter)).as("count of %s", filter).isEqualTo(values.size());
    return values;
  }

  /** Fault M21. */
  @ParameterizedTest
  @EnumSource
  void nullsFulfilNoComparison(Preparation preparation) {
    Schema schema = schema(nullable("n", INT32), nullable("c", INT64), nullable("s", UTF8));
    try (Dataset dataset = table(preparation, schema, row(0, null, null), row(1, 1, "a"))) {
      assertThat(where(dataset, "(c != 0) OR (c < 5)")).containsExactly(1);
      assertThat(where(dataset, "s != 'x'")).containsExactly(1);
    }
  }

  /** Fault M22. */
  @ParameterizedTest
  @EnumSource
  void notAndInFollowThreeValuedLogic(Preparation preparation) {
    Schema schema =
        schema(nullable("n", INT32), nullable("b", ArrowType.Bool.INSTANCE), nullable("x", INT64));
    try (Dataset dataset =
        table(
            preparation,
            schema,
            row(0, true, 1),
            row(1, false, 2),
            row(2, null, null),
            row(3, true, 3))) {
      assertThat(where(dataset, "NOT b")).containsExactly(1);
      assertThat(where(dataset, "b = false")).containsExactly(1);
      assertThat(where(dataset, "b IS NOT TRUE")).containsExactly(1, 2);
      assertThat(where(dataset, "x IN (1,2,NULL)")).containsExactly(0, 1);
      assertThat(where(dataset, "x NOT IN (1,NULL)")).isEmpty();
    }
  }

  /** Fault M23. */
  @ParameterizedTest
  @EnumSource
  void rangesWithoutValuesMatchNothing(Preparation preparation) {
    try (Dataset dataset =
        table(preparation, schema(nullable("c", INT64)), row(1), row(2), row(3))) {
      assertThat(where(dataset, "c BETWEEN 2 AND 1")).isEmpty();
      assertThat(where(dataset, "c > 3 AND c < 1")).isEmpty();
      assertThat(where(dataset, "NOT (c BETWEEN 2 AND 1)")).containsExactly(1L, 2L, 3L);
    }
  }

  /** Fault M24. */
  @ParameterizedTest
  @EnumSource
  void valuesAreNotNull(Preparation preparation) {
    Schema schema = schema(nullable("n", INT32), nullable("v", DOUBLE));
    try (Dataset dataset = table(preparation, schema, row(0, 1.0), row(1, 2.0), row(2, null))) {
      assertThat(where(dataset, "v IS NULL")).containsExactly(2);
      assertThat(where(dataset, "v IS NOT NULL")).containsExactly(0, 1);
      assertThat(where(dataset, "v = 2.0")).containsExactly(1);
      assertThat(where(dataset, "v != 2.0")).containsExactly(0);
      assertThat(where(dataset, "v IN (1.0, 9.0)")).containsExactly(0);
    }
  }

  /** Fault M26. */
  @ParameterizedTest
  @EnumSource
  void noLabelIsAskedFor(Preparation preparation) {
    Field labels = nullable("labels", ArrowType.List.INSTANCE, nullable("item", UTF8));
    try (Dataset dataset =
        table(
            preparation,
            schema(nullable("n", INT32), labels),
            row(0, List.of("a", "b")),
            row(1, List.of()),
            row(2, null))) {
      assertThat(where(dataset, "array_has_any(labels, [])")).isEmpty();
      assertThat(where(dataset, "array_has_all(labels, [])")).containsExactly(0, 1, 2);
      assertThat(where(dataset, "array_has_any(labels, ['b', 'c'])")).containsExactly(0);
    }
  }

  /** Fault M29. */
  @ParameterizedTest
  @EnumSource
  void daysCompareWithToday(Preparation preparation) {
    Schema schema = schema(nullable("n", INT32), nullable("d", new ArrowType.Date(DateUnit.DAY)));
    try (Dataset dataset =
        table(
            preparation,
            schema,
            row(0, LocalDate.of(2020, 1, 1)),
            row(1, LocalDate.of(2020, 1, 2)),
            row(2, LocalDate.of(2996, 9, 23)))) {
      assertThat(where(dataset, "d <= current_date()")).containsExactly(0, 1);
      assertThat(where(dataset, "d > current_date()")).containsExactly(2);
    }
  }

  /** Fault M30. */
  @ParameterizedTest
  @MethodSource
  void timesCompareInTheUnitOfTheColumn(Preparation preparation, TimeUnit unit, String zone) {
    long perSecond =
        switch (unit) {
          case SECOND -> 1L;
          case MILLISECOND -> 1_000L;
          case MICROSECOND -> 1_000_000L;
          case NANOSECOND -> 1_000_000_000L;
        };
    long start = LocalDate.of(2024, 1, 1).toEpochDay() * 86_400;
    List<List<Object>> rows = new ArrayList<>();
    for (int hour = 0; hour < 100; hour++) {
      rows.add(row(hour, (start + hour * 3_600L) * perSecond));
    }
    Schema schema =
        schema(nullable("n", INT32), nullable("t", new ArrowType.Timestamp(unit, zone)));
    try (Dataset dataset = table(preparation, schema, rows)) {
      assertThat(where(dataset, "t > timestamp '2024-01-03 02:00:00'")).hasSize(49);
      assertThat(where(dataset, "t >= timestamp '2024-01-03 02:00:00'")).hasSize(50);
      assertThat(where(dataset, "t = timestamp '2024-01-03 02:00:00'")).containsExactly(50);
    }
  }

  static Stream<Arguments> timesCompareInTheUnitOfTheColumn() {
    return Stream.of(Preparation.values())
        .flatMap(
            preparation ->
                Stream.of(TimeUnit.values())
                    .flatMap(
                        unit ->
                            Stream.of(
                                Arguments.of(preparation, unit, null),
                                Arguments.of(preparation, unit, "UTC"))));
  }

  /** Fault M31: in conditions, projections, orders, updates and the keys of merges. */
  @ParameterizedTest
  @EnumSource
  void namesOfEveryKindWorkInBackticks(Preparation preparation) {
    for (String name : List.of("PartyAbbrev", "foo-bar", "user", "a b", "select", "a`b")) {
      Schema schema = schema(nullable(name, UTF8), nullable("v", INT32));
      String quoted = "`" + name.replace("`", "``") + "`";
      try (Dataset dataset = table(preparation, schema, row("R", 1), row("D", 2), row("A", 3))) {
        assertThat(where(dataset, quoted + " = 'D'")).as(name).containsExactly("D");
        assertThat(rows(dataset.scan().select(quoted).open())).contains(row("D")).hasSize(3);
        assertThat(rows(dataset.scan().select(quoted).orderBy(Ordering.asc(quoted)).open()))
            .containsExactly(row("A"), row("D"), row("R"));
        try (Dataset updated =
                dataset
                    .update()
                    .where(quoted + " = 'D'")
                    .set(quoted, "concat(" + quoted + ", '2')")
                    .execute()
                    .dataset();
            VectorSchemaRoot source = Cells.batch(allocator, schema, row("D2", 7), row("R", 8));
            Dataset merged =
                updated
                    .mergeInsert(quoted)
                    .whenMatched(WhenMatched.updateAll())
                    .whenNotMatched(WhenNotMatched.doNothing())
                    .execute(source)
                    .dataset()) {
          assertThat(rows(merged))
              .as(name)
              .containsExactlyInAnyOrder(row("D2", 7), row("R", 8), row("A", 3));
          try (Dataset narrow = merged.dropColumns(quoted)) {
            assertThat(rows(narrow)).as(name).containsExactlyInAnyOrder(row(7), row(8), row(3));
          }
        }
      }
    }
  }

  /** Fault M31. */
  @ParameterizedTest
  @EnumSource
  void namesThatNeedBackticksAreNoColumnsWithoutThem(Preparation preparation) {
    Schema schema = schema(nullable("PartyAbbrev", UTF8), nullable("foo-bar", INT32));
    try (Dataset dataset = table(preparation, schema, row("D", 1))) {
      assertThat(where(dataset, "\"PartyAbbrev\" = 'D'")).isEmpty();
      assertThatThrownBy(() -> dataset.countRows("foo-bar = 1"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("`foo-bar`");
    }
  }

  /** Fault M32: conditions, updates and deletes with values that look like SQL. */
  @ParameterizedTest
  @EnumSource
  void aValueIsNeverTakenForAStatement(Preparation preparation) {
    List<String> names = List.of("O'Brien", "x' OR 1=1 --", "back\\slash", "\"dq\"", "b`t");
    List<List<Object>> rows = new ArrayList<>();
    names.forEach(name -> rows.add(row(name)));
    for (String name : names) {
      String isName = "name = " + Literals.of(name);
      String renamed = name + name;
      try (Dataset dataset = table(preparation, schema(nullable("name", UTF8)), rows);
          Dataset updated =
              dataset.update().where(isName).set("name", Literals.of(renamed)).execute().dataset();
          Dataset deleted = updated.delete("name = " + Literals.of(renamed)).dataset()) {
        List<Object> others = new ArrayList<>(names);
        others.remove(name);
        assertThat(where(dataset, isName)).containsExactly(name);
        assertThat(where(updated, "name = " + Literals.of(renamed))).containsExactly(renamed);
        assertThat(where(updated, "true")).hasSize(names.size()).containsAll(others);
        assertThat(where(deleted, "true")).containsExactlyInAnyOrderElementsOf(others);
      }
    }
  }

  /** Fault M32. */
  @ParameterizedTest
  @EnumSource
  void aQuoteInAValueIsDoubled(Preparation preparation) {
    try (Dataset dataset = table(preparation, schema(nullable("name", UTF8)), row("O'Brien"))) {
      assertThat(where(dataset, "name = 'O''Brien'")).containsExactly("O'Brien");
      assertThatThrownBy(() -> dataset.countRows("name = 'O'Brien'"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("position 11");
    }
  }

  /** Fault M33. */
  @ParameterizedTest
  @EnumSource
  void unsignedNumbersAreNeverNegative(Preparation preparation) {
    Schema schema = schema(nullable("n", INT32), nullable("u32", UINT32), nullable("u64", UINT64));
    try (Dataset dataset =
        table(
            preparation,
            schema,
            row(0, 4_294_967_295L, -1L),
            row(1, 5, 1),
            row(2, 3_000_000_000L, Long.MIN_VALUE))) {
      assertThat(where(dataset, "u32 > 2147483648")).containsExactly(0, 2);
      assertThat(where(dataset, "u64 > 9223372036854775807")).containsExactly(0, 2);
      for (String column : List.of("u32", "u64")) {
        assertThat(rows(dataset.scan().select("n").orderBy(Ordering.desc(column)).open()))
            .containsExactly(row(0), row(2), row(1));
      }
      try (Dataset updated = dataset.update().set("u32", "u32 - 1").execute().dataset()) {
        assertThat(where(updated, "u32 = 4294967294 AND u64 > 9223372036854775807"))
            .containsExactly(0);
        assertThat(where(updated, "u32 = 2999999999 OR u32 = 4")).containsExactlyInAnyOrder(1, 2);
      }
    }
  }
}
