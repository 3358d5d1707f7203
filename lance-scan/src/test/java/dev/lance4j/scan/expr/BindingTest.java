package dev.lance4j.scan.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BindingTest {
  private FilterTable table;

  @BeforeEach
  void open() throws IOException {
    table = FilterTable.open();
  }

  @AfterEach
  void close() throws IOException {
    table.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '@',
      textBlock =
          """
          CamlCase = 1       | No column is called 'CamlCase'; did you mean 'CamelCase'
          st.inner.zz = 1    | The struct has no field 'zz'; did you mean 'z'
          lowr(s) = 'a'      | No function is called 'lowr'; did you mean 'lower'
          i8 < 1000          | A literal of type Int64 cannot be compared with column i8 of type Int8
          i64 = 9223372036854775808 | A literal of type Float64 cannot be compared with column i64 of type Int64
          dec = decimal(3,2) '100.00' | '100.00'
          t32s = t64ns       | The operator = does not apply to Time32(s) and Time64(ns)
          b AND i32          | AND needs conditions, but an operand is of type Int32
          s                  | The filter is not a condition: s is of type Utf8
          count(i32) = 1     | Aggregate and window functions
          lower(s, 'x') = 'a' | lower takes 1 argument(s), but got 2
          lower(i32) = 'a'   | Argument 1 of lower must be a string, but is of type Int32
          cast(i32 as money) = 1 | Unsupported type 'money'
          i32.x = 1          | 'i32' is of type Int32 and has no field 'x'
          """)
  void whatCannotBeBoundSaysWhatAndWhatWouldFit(String filter, String message) {
    assertThatThrownBy(() -> RowFilter.of(filter, table.schema()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(message);
  }

  @Test
  void columnsNameWhatABatchMustHave() {
    RowFilter filter =
        RowFilter.of("I32 > 5 AND st.inner.z IS NULL AND st['y'] = 'a'", table.schema());

    assertThat(filter.columns())
        .containsExactly(List.of("i32"), List.of("st", "inner", "z"), List.of("st", "y"));
  }

  @Test
  void aProjectedValueHasTheTypeOfItsComputation() {
    assertThat(type("i8 + 1")).isEqualTo(new ArrowType.Int(8, true));
    assertThat(type("length(s)")).isEqualTo(new ArrowType.Int(32, true));
    assertThat(type("coalesce(i32, 5.5)"))
        .isEqualTo(new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE));
    assertThat(type("dec + dec")).isEqualTo(new ArrowType.Decimal(11, 2, 128));
  }

  private ArrowType type(String expression) {
    return BoundExpression.bind(Expression.parse(expression), table.schema()).field("x").getType();
  }

  @Test
  void valuesOfEveryLayoutCanBeProjected() {
    assertThat(table.project("i32 + 1").subList(0, 3)).containsExactly(1, 2, 0);
    assertThat(table.project("dict").subList(0, 5))
        .map(String::valueOf)
        .containsExactly("red", "green", "blue", "", "null");
    assertThat(table.project("li").subList(0, 3))
        .map(String::valueOf)
        .containsExactly("[1,2,3]", "[]", "null");
    assertThat(table.project("st.inner").get(1)).hasToString("{\"z\":0.5,\"With Space\":-1}");
    assertThat(table.project("dec * 2").get(3)).hasToString("199999999.9800");
    assertThat(table.project("coalesce(fsl, fsl)").get(8)).isNull();
    assertThat(table.project("b").subList(0, 3)).containsExactly(true, false, null);
  }

  @Test
  void aRowThatTheLeftSideRulesOutCannotFailTheRightSide() {
    assertThat(table.select("id = 19 AND cast(s as int) = 6")).isEmpty();
    assertThat(table.select("s IS NOT NULL AND id = 19 AND cast(s as int) = 5"))
        .containsExactly(19);
    assertThatThrownBy(() -> table.select("cast(s as int) = 5"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("Cannot cast string '' to Int32");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '@',
      textBlock =
          """
          i32 = 5 OR i32 = 7 OR i32 = 10                   | i32 IN (5, 7, 10)
          i32 = 5 OR s = '' OR i32 = 7 OR b OR i32 = 10    | i32 IN (5, 7, 10) OR s = '' OR b
          NOT (i32 = 5 OR i32 = NULL OR i32 = 7)           | i32 NOT IN (5, NULL, 7)
          (i32 = 5 OR i32 = 7 OR i32 = 1000000) IS NULL    | i32 IS NULL
          s = '' OR s = 'O''Brien' OR s = 'no one'           | s IN ('', 'O''Brien', 'no one')
          f64 = 0.5 OR f64 = -0.0 OR f64 = 1e12 OR f64 = 1 | f64 IN (0.5, -0.0, 1e12, 1)
          """)
  void manyEqualitiesOfAColumnAreTheSameAsIn(String equalities, String in) {
    assertThat(table.select(equalities)).isEqualTo(table.select(in));
  }

  @Test
  void tenThousandTermsAreEvaluated() {
    String terms =
        IntStream.range(3, 10_003).mapToObj(i -> "id = " + i).collect(Collectors.joining(" OR "));
    String ranges =
        IntStream.range(3, 10_003)
            .mapToObj(i -> "id BETWEEN " + i + " AND " + i)
            .collect(Collectors.joining(" OR "));

    assertThat(table.select(terms)).isEqualTo(table.select("id >= 3")).isNotEmpty();
    assertThat(table.select(ranges)).isEqualTo(table.select("id >= 3"));
  }

  @Test
  void programmaticFiltersAreTheSameAsText() {
    Expression filter =
        Expressions.and(
            Expressions.or(
                Expressions.eq("s", "O'Brien"), Expressions.in("i32", List.of(5, 7, 10))),
            Expressions.not(Expressions.isNull("CamelCase")),
            Expressions.between("f64", -10.5, 1e12),
            Expressions.like("select", "k%"));

    assertThat(table.select(RowFilter.of(filter, table.schema())))
        .isEqualTo(
            table.select(
                "(s = 'O''Brien' OR i32 IN (5, 7, 10)) AND NOT (CamelCase IS NULL)"
                    + " AND f64 BETWEEN -10.5 AND 1e12 AND `select` LIKE 'k%'"))
        .isNotEmpty();
  }

  @Test
  void programmaticNamesAreExact() {
    assertThat(table.select(RowFilter.of(Expressions.eq("with space", 9), table.schema())))
        .containsExactly(3);
    assertThatThrownBy(() -> RowFilter.of(Expressions.eq("I32", 5), table.schema()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("did you mean 'i32'");
  }
}
