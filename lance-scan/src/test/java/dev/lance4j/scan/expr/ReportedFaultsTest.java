package dev.lance4j.scan.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.impl.UnionListWriter;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Filters that answered wrongly in the real library or its connectors, as its users reported. */
class ReportedFaultsTest {
  private final BufferAllocator allocator = new RootAllocator();
  private final List<FieldVector> columns = new ArrayList<>();

  @AfterEach
  void close() {
    columns.forEach(FieldVector::close);
    allocator.close();
  }

  private void longs(String name, Long... values) {
    BigIntVector vector = new BigIntVector(name, allocator);
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null) {
        vector.setSafe(i, values[i]);
      }
    }
    vector.setValueCount(values.length);
    columns.add(vector);
  }

  private void texts(String name, String... values) {
    VarCharVector vector = new VarCharVector(name, allocator);
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null) {
        vector.setSafe(i, values[i].getBytes(StandardCharsets.UTF_8));
      }
    }
    vector.setValueCount(values.length);
    columns.add(vector);
  }

  private int[] select(String filter) {
    VectorSchemaRoot root = new VectorSchemaRoot(columns);
    return RowFilter.of(filter, root.getSchema()).select(root, null);
  }

  @Test
  void twoListsAreNotMergedToTheirCommonItems() {
    texts("s", "a", "b", "c", null);
    assertThat(select("s NOT IN ('a') OR s NOT IN ('b')")).containsExactly(0, 1, 2);
    assertThat(select("s NOT IN ('a', 'b') OR s NOT IN ('b', 'c', NULL)")).containsExactly(2);
    assertThat(select("NOT (s IN ('a', 'b') AND s IN ('b', 'c', NULL))")).containsExactly(2);
  }

  @Test
  void comparisonsLeaveNullsOut() {
    longs("c", null, 1L);
    texts("s", null, "a");

    assertThat(select("(c != 0) OR (c < 5)")).containsExactly(1);
    assertThat(select("s != 'x'")).containsExactly(1);
  }

  @Test
  void notAndInFollowThreeValuedLogic() {
    BitVector flags = new BitVector("b", allocator);
    flags.setSafe(0, 1);
    flags.setSafe(1, 0);
    flags.setNull(2);
    flags.setNull(3);
    flags.setValueCount(4);
    columns.add(flags);
    longs("x", 1L, 2L, null, 3L);

    assertThat(select("NOT b")).containsExactly(1);
    assertThat(select("b = false")).containsExactly(1);
    assertThat(select("b IS NOT TRUE")).containsExactly(1, 2, 3);
    assertThat(select("x IN (1,2,NULL)")).containsExactly(0, 1);
    assertThat(select("x NOT IN (1,NULL)")).isEmpty();
  }

  @Test
  void emptyRangesMatchNothing() {
    longs("c", 1L, 2L, 3L);

    assertThat(select("c BETWEEN 2 AND 1")).isEmpty();
    assertThat(select("c > 3 AND c < 1")).isEmpty();
    assertThat(select("NOT (c BETWEEN 2 AND 1)")).containsExactly(0, 1, 2);
  }

  @Test
  void anEmptyListOfLabelsHasNoneAndAllOfThem() {
    ListVector labels = ListVector.empty("labels", allocator);
    UnionListWriter writer = labels.getWriter();
    writer.setPosition(0);
    writer.startList();
    writer.writeVarChar("a");
    writer.endList();
    writer.setPosition(1);
    writer.startList();
    writer.endList();
    writer.setPosition(2);
    writer.writeNull();
    writer.setValueCount(3);
    labels.setValueCount(3);
    columns.add(labels);

    assertThat(select("array_has_any(labels, [])")).isEmpty();
    assertThat(select("array_has_all(labels, [])")).containsExactly(0, 1, 2);
    assertThat(select("array_has_any(labels, ['a', 'b'])")).containsExactly(0);
  }

  @Test
  void datesCompareWithToday() {
    DateDayVector dates = new DateDayVector("d", allocator);
    dates.setSafe(0, (int) LocalDate.of(2020, 1, 1).toEpochDay());
    dates.setSafe(1, (int) LocalDate.of(2020, 1, 2).toEpochDay());
    dates.setSafe(2, (int) LocalDate.of(2996, 9, 23).toEpochDay());
    dates.setValueCount(3);
    columns.add(dates);

    assertThat(select("d <= current_date()")).containsExactly(0, 1);
    assertThat(select("d > current_date()")).containsExactly(2);
  }

  @ParameterizedTest
  @EnumSource(TimeUnit.class)
  void timestampLiteralsHaveTheUnitOfTheColumn(TimeUnit unit) {
    for (String zone : new String[] {null, "UTC"}) {
      Field field = Field.nullable("t", new ArrowType.Timestamp(unit, zone));
      TimeStampVector vector = (TimeStampVector) field.createVector(allocator);
      long ticks =
          switch (unit) {
            case SECOND -> 1L;
            case MILLISECOND -> 1_000L;
            case MICROSECOND -> 1_000_000L;
            case NANOSECOND -> 1_000_000_000L;
          };
      long start = LocalDate.of(2024, 1, 1).toEpochDay() * 86_400;
      for (int hour = 0; hour < 100; hour++) {
        vector.setSafe(hour, (start + hour * 3_600L) * ticks);
      }
      vector.setValueCount(100);
      columns.add(vector);

      assertThat(select("t > timestamp '2024-01-03 02:00:00'")).hasSize(49);
      assertThat(select("t >= timestamp '2024-01-03 02:00:00'")).hasSize(50);
      assertThat(select("t = timestamp '2024-01-03 02:00:00'")).containsExactly(50);
      columns.remove(vector);
      vector.close();
    }
  }

  @Test
  void namesWithCaseDashesBlanksAndKeywordsWorkInBackTicks() {
    texts("PartyAbbrev", "D", "R");
    longs("foo-bar", 1L, 2L);
    texts("user", "u1", "u2");
    longs("a b", 1L, 2L);
    texts("select", "k", "l");

    assertThat(select("`PartyAbbrev` = 'D'")).containsExactly(0);
    assertThat(select("`foo-bar` = 1")).containsExactly(0);
    assertThat(select("`user` = 'u1' AND user = 'u1'")).containsExactly(0);
    assertThat(select("`a b` = 1")).containsExactly(0);
    assertThat(select("`select` = 'k' AND select = 'k'")).containsExactly(0);
    assertThat(select("\"PartyAbbrev\" = 'D'")).isEmpty();
    assertThatThrownBy(() -> select("foo-bar = 1"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("No column is called 'foo'")
        .hasMessageContaining("did you mean `foo-bar`");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      delimiter = '|',
      textBlock =
          """
          O'Brien       | 0
          x' OR 1=1 --  | 1
          back\\slash    | 2
          "dq"          | 3
          b`t           | 4
          """)
  void aQuotedValueTouchesItsRowOnly(String value, int row) {
    texts("name", "O'Brien", "x' OR 1=1 --", "back\\slash", "\"dq\"", "b`t");

    assertThat(select("name = " + Literals.of(value))).containsExactly(row);
  }

  @Test
  void aSingleQuoteInsideAStringIsDoubled() {
    texts("name", "O'Brien");

    assertThat(select("name = 'O''Brien'")).containsExactly(0);
    assertThatThrownBy(() -> select("name = 'O'Brien'"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("position 11");
  }

  @Test
  void unsignedColumnsCompareUnsigned() {
    UInt4Vector ints = new UInt4Vector("u32", allocator);
    UInt8Vector longs = new UInt8Vector("u64", allocator);
    ints.setSafe(0, 5);
    ints.setSafe(1, (int) 3_000_000_000L);
    ints.setSafe(2, -1);
    longs.setSafe(0, 1);
    longs.setSafe(1, Long.MIN_VALUE);
    longs.setSafe(2, -1);
    ints.setValueCount(3);
    longs.setValueCount(3);
    columns.add(ints);
    columns.add(longs);

    assertThat(select("u32 > 2147483648")).containsExactly(1, 2);
    assertThat(select("u64 > 1")).containsExactly(1, 2);
    assertThat(select("u32 - 1 = 4294967294")).containsExactly(2);
  }
}
