package dev.lance4j.scan.internal.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.expr.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

/** Which part of a filter indices are asked, and what is left to check. */
class IndexQueriesTest {
  private static final List<Field> FIELDS =
      List.of(
          SampleFields.int32("a"),
          SampleFields.int32("z"),
          SampleFields.utf8("s"),
          SampleFields.scalar("t", ArrowType.LargeUtf8.INSTANCE),
          SampleFields.bool("b"),
          SampleFields.float32("f"),
          SampleFields.scalar("ts", new ArrowType.Timestamp(TimeUnit.SECOND, null)),
          SampleFields.struct("st", SampleFields.struct("mid", SampleFields.int64("x"))),
          SampleFields.list("li", SampleFields.utf8("item")),
          SampleFields.int32("free"));

  private static final long ROWS = 1_000_000;

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  /** Indices on all columns but {@code free}; that on {@code z} finds candidates only. */
  private List<NaiveIndex> indices() {
    List<NaiveIndex> indices = new ArrayList<>();
    for (Field field : FIELDS.subList(0, FIELDS.size() - 1)) {
      boolean nested = field.getName().equals("st");
      Field indexed = nested ? SampleFields.int64("x") : field;
      try (FieldVector none = indexed.createVector(allocator)) {
        indices.add(
            NaiveIndex.on(
                none,
                nested ? List.of("st", "mid", "x") : List.of(field.getName()),
                !field.getName().equals("z"),
                RoaringBitmap.bitmapOf(0, 1)));
      }
    }
    return indices;
  }

  private Optional<LookUp> lookUp(String filter) {
    return decide(filter, indices(), WhatIfDamaged.FAIL).lookUp();
  }

  private LookUpPlanner.Decision decide(
      String filter, List<NaiveIndex> indices, WhatIfDamaged whatIfDamaged) {
    return LookUpPlanner.decide(
        Condition.of(Expression.parse(filter), new Schema(FIELDS)),
        RoaringBitmap.bitmapOf(0, 1),
        () -> ROWS,
        new FilterIndices(List.copyOf(indices), List.of()),
        allocator,
        whatIfDamaged);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a = 5 | a = 5 by exact a
          5 = a | a = 5 by exact a
          a != 5 | NOT (a = 5 by exact a)
          5 > a | a < 5 by exact a
          a BETWEEN 2 AND 7 | a >= 2 AND a <= 7 by exact a
          a NOT BETWEEN 2 AND 7 | NOT (a >= 2 AND a <= 7 by exact a)
          a > 2 AND a <= 7 | a > 2 AND a <= 7 by exact a
          a > 2 AND a > 3 AND a >= 3 AND a < 9 AND a < 8 | a > 3 AND a < 8 by exact a
          a IN (3, 1, 3, 2) | a IN (1, 2, 3) by exact a
          a NOT IN (3, 1) | NOT (a IN (1, 3) by exact a)
          a = 1 OR a = 2 OR a = 3 | a IN (1, 2, 3) by exact a
          a IS NULL | a IS NULL by exact a
          a IS NOT NULL | NOT (a IS NULL by exact a)
          b | b = true by exact b
          NOT b | NOT (b = true by exact b)
          b = false | b = false by exact b
          b IS TRUE | (b = true by exact b) IS TRUE
          b IS NOT FALSE | NOT ((NOT (b = true by exact b)) IS TRUE)
          (a = 5) IS NOT TRUE | NOT ((a = 5 by exact a) IS TRUE)
          s LIKE 'ab%' | s >= 'ab' AND s < 'ac' by exact s
          s LIKE 'a\\%%%' | s >= 'a%' AND s < 'a&' by exact s
          s NOT LIKE 'ab%' | NOT (s >= 'ab' AND s < 'ac' by exact s)
          s LIKE 'ab' | s = 'ab' by exact s
          t LIKE 'ab%' | t >= 'ab' AND t < 'ac' by exact t
          starts_with(s, 'ab') | s >= 'ab' AND s < 'ac' by exact s
          starts_with(t, 'ab') | t >= 'ab' AND t < 'ac' by exact t
          f > 1 | f > 1.0 by exact f
          cast(a as bigint) = 5 | a = 5 by exact a
          ts = timestamp '2024-01-01 00:00:00' | ts = '2024-01-01T00:00:00' by exact ts
          st.mid.x < 3 | st.mid.x < 3 by exact st.mid.x
          st['mid']['x'] < 3 | st.mid.x < 3 by exact st.mid.x
          array_has(li, 'x') | array_has_any(li, ['x']) by exact li
          list_contains(li, 'x') | array_has_any(li, ['x']) by exact li
          array_has_any(li, ['x', NULL, 'b']) | array_has_any(li, ['b', 'x', NULL]) by exact li
          array_has_all(li, ['x', 'b']) | array_has_all(li, ['b', 'x']) by exact li
          a = 1 AND s = 'x' | a = 1 by exact a AND s = 'x' by exact s
          a = 1 OR s = 'x' | a = 1 by exact a OR s = 'x' by exact s
          NOT (a = 1 OR s = 'x') | NOT (a = 1 by exact a OR s = 'x' by exact s)
          """)
  void nothingIsLeftToCheck(String filter, String query) {
    LookUp lookUp = lookUp(filter).orElseThrow();
    assertThat(lookUp).hasToString(query + ", exact");
    assertThat(lookUp.remaining()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          z = 5 | z = 5 by rough z | z = 5
          a = 1 AND z = 5 | a = 1 by exact a AND z = 5 by rough z | z = 5
          a = 1 OR z = 5 | a = 1 by exact a OR z = 5 by rough z | a = 1 OR z = 5
          s LIKE 'a%b' AND a = 1 | a = 1 by exact a AND s >= 'a' AND s < 'b' by exact s | s LIKE 'a%b'
          a = 1 OR (a = 2 AND free = 3) | a = 1 by exact a OR (a = 2 by exact a) | a = 1 OR (a = 2 AND free = 3)
          """)
  void candidatesAreChecked(String filter, String query, String remaining) {
    LookUp lookUp = lookUp(filter).orElseThrow();
    assertThat(lookUp.toString()).startsWith(query).endsWith(", candidates");
    assertThat(lookUp.remaining().orElseThrow()).hasToString(text(remaining));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a = 1 AND free = 2 | a = 1 by exact a | free = 2
          a = 1 AND (free = 2 AND a < 7) | a < 7 by exact a | free = 2
          a = 1 AND (free = 2 OR s = 'x') | a = 1 by exact a | free = 2 OR s = 'x'
          a = 1 AND NOT (z = 2) | a = 1 by exact a | NOT (z = 2)
          a = 1 AND a IN (2, NULL) | a = 1 by exact a | a IN (2, NULL)
          """)
  void theOtherPartsAreChecked(String filter, String query, String remaining) {
    LookUp lookUp = lookUp(filter).orElseThrow();
    assertThat(lookUp.toString()).contains(query).endsWith(", exact");
    assertThat(lookUp.remaining().orElseThrow()).hasToString(text(remaining));
  }

  private static String text(String filter) {
    return Expression.parse(filter).toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "free = 1",
        "a = 1 OR free = 2",
        "NOT (a = 1 AND free = 2)",
        "NOT (z = 1)",
        "z != 1",
        "z IS NOT NULL",
        "NOT (s LIKE 'a%b')",
        "a + 1 = 2",
        "a = free",
        "a = NULL",
        "a IN (1, NULL)",
        "a NOT IN (1, NULL)",
        "cast(a as bigint) = 5000000000",
        "cast(s as binary) = X'61'",
        "s ILIKE 'a%'",
        "s LIKE '%a'",
        "s LIKE '_a'",
        "starts_with(s, '')",
        "s LIKE s",
        "lower(s) = 'x'",
        "array_has(li, NULL)",
        "li = ['x']",
        "(a = 1) IS NULL",
        "st IS NULL",
        "_rowid = 1 OR a = 1"
      })
  void indicesDoNotHelp(String filter) {
    Condition condition =
        Condition.of(
            Expression.parse(filter),
            new Schema(
                concat(FIELDS, SampleFields.scalar("_rowid", new ArrowType.Int(64, false)))));
    LookUpPlanner.Decision decision =
        LookUpPlanner.decide(
            condition,
            RoaringBitmap.bitmapOf(0, 1),
            () -> ROWS,
            new FilterIndices(List.copyOf(indices()), List.of()),
            allocator,
            WhatIfDamaged.FAIL);
    assertThat(decision.lookUp()).isEmpty();
  }

  private static List<Field> concat(List<Field> fields, Field last) {
    List<Field> all = new ArrayList<>(fields);
    all.add(last);
    return all;
  }

  private NaiveIndex onA(boolean exact, int... fragments) {
    try (FieldVector none = FIELDS.get(0).createVector(allocator)) {
      return NaiveIndex.on(none, List.of("a"), exact, RoaringBitmap.bitmapOf(fragments));
    }
  }

  private NaiveIndex onS(int... fragments) {
    try (FieldVector none = FIELDS.get(2).createVector(allocator)) {
      return NaiveIndex.on(none, List.of("s"), true, RoaringBitmap.bitmapOf(fragments));
    }
  }

  @Test
  void anExactIndexIsPreferred() {
    LookUp lookUp =
        decide("a = 1", List.of(onA(false, 0, 1), onA(true, 0, 1)), WhatIfDamaged.FAIL)
            .lookUp()
            .orElseThrow();
    assertThat(lookUp).hasToString("a = 1 by exact a, exact");
  }

  @Test
  void anIndexThatCoversNothingIsPassedOver() {
    LookUpPlanner.Decision decision =
        decide("a = 1", List.of(onA(true, 7), onA(false, 1, 7)), WhatIfDamaged.FAIL);
    assertThat(decision.lookUp().orElseThrow()).hasToString("a = 1 by rough a, candidates");
    assertThat(decision.notes()).containsExactly("exact a covers none of the fragments");
  }

  @Test
  void aConditionIsAnsweredWhereAllOfItsIndicesAnswer() {
    LookUp lookUp =
        decide("a = 1 OR s = 'x'", List.of(onA(true, 0, 1), onS(1, 2)), WhatIfDamaged.FAIL)
            .lookUp()
            .orElseThrow();
    assertThat(lookUp.covered()).isEqualTo(RoaringBitmap.bitmapOf(1));
  }

  @Test
  void anIndexOfFewFragmentsDoesNotKeepAnotherFromTheRest() {
    LookUp lookUp =
        decide("s = 'x' AND a = 1", List.of(onS(1), onA(true, 0, 1)), WhatIfDamaged.FAIL)
            .lookUp()
            .orElseThrow();
    assertThat(lookUp.covered()).isEqualTo(RoaringBitmap.bitmapOf(0, 1));
    assertThat(lookUp).hasToString("a = 1 by exact a, exact");
    assertThat(lookUp.remaining().orElseThrow()).hasToString(text("s = 'x'"));
  }

  @Test
  void aDamagedIndexIsAnErrorUnlessItIsToBePassedOver() {
    NaiveIndex damaged = onA(true, 0, 1);
    damaged.damage();
    assertThatThrownBy(() -> decide("a = 1", List.of(damaged), WhatIfDamaged.FAIL))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("exact a is damaged");

    LookUpPlanner.Decision decision =
        decide("a = 1", List.of(damaged, onA(false, 0)), WhatIfDamaged.GO_ON);
    assertThat(decision.lookUp().orElseThrow()).hasToString("a = 1 by rough a, candidates");
    assertThat(decision.notes()).singleElement().asString().contains("exact a is damaged");
  }

  @Test
  void anIndexThatWouldNotHelpIsNotOpened() {
    NaiveIndex damaged = onA(true, 0, 1);
    damaged.damage();
    LookUpPlanner.Decision decision =
        decide("a + 1 = 2 AND s = 'x'", List.of(damaged, onS(0)), WhatIfDamaged.FAIL);
    assertThat(decision.lookUp().orElseThrow()).hasToString("s = 'x' by exact s, exact");
  }

  @Test
  void anIndexThatIsDamagedWhenItIsAskedIsAnErrorUnlessItIsToBePassedOver() {
    for (WhatIfDamaged reaction : WhatIfDamaged.values()) {
      NaiveIndex index = onA(true, 0, 1);
      LookUp lookUp = decide("a = 1", List.of(index), reaction).lookUp().orElseThrow();
      index.damage();
      if (reaction == WhatIfDamaged.FAIL) {
        assertThatThrownBy(lookUp::search).isInstanceOf(CorruptFileException.class);
      } else {
        LookUp.Outcome outcome = lookUp.search();
        assertThat(outcome.rows()).isEmpty();
        assertThat(outcome.problem().orElseThrow()).contains("exact a is damaged");
      }
    }
  }

  @Test
  void severalRangesOfAColumnAreOneQuestion() {
    NaiveIndex index = onA(true, 0, 1);
    decide("a > 1 AND (a < 9 AND a != 5)", List.of(index), WhatIfDamaged.FAIL)
        .lookUp()
        .orElseThrow()
        .search();
    assertThat(index.searches()).isEqualTo(2);
  }

  @Test
  void whatFindsALargePartOfTheRowsIsCheckedByReadingThem() {
    NaiveIndex index = onA(true, 0, 1);
    index.estimate(ROWS / 2);
    LookUpPlanner.Decision decision =
        decide("a > 1 AND s = 'x'", List.of(index, onS(0, 1)), WhatIfDamaged.FAIL);
    assertThat(decision.lookUp().orElseThrow()).hasToString("s = 'x' by exact s, exact");
    assertThat(decision.lookUp().get().remaining().orElseThrow()).hasToString(text("a > 1"));
    assertThat(decision.notes())
        .containsExactly("too many rows fulfil a > 1 by exact a: about 500000");
    assertThat(decide("a > 1 OR s = 'x'", List.of(index, onS(0)), WhatIfDamaged.FAIL).lookUp())
        .isEmpty();

    assertThat(decide("a > 1 AND a < 9", List.of(index), WhatIfDamaged.FAIL).lookUp())
        .as("both ends are asked for at once")
        .isPresent();

    index.estimate(ROWS / 20);
    assertThat(decide("a > 1", List.of(index), WhatIfDamaged.FAIL).lookUp()).isPresent();
  }
}
