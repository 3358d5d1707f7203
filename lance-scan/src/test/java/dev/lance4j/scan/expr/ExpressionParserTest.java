package dev.lance4j.scan.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionParserTest {
  private static final Schema SCHEMA =
      new Schema(List.of(Field.nullable("a", new ArrowType.Int(64, true))));

  @Test
  void syntaxErrorsPointAtTheFault() {
    assertThatThrownBy(() -> Expression.parse("a = 1 AND\n  b >> 2"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(">>")
        .hasMessageContaining("at position 15")
        .hasMessageEndingWith("    b >> 2\n      ^");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '@',
      textBlock =
          """
          a =                   | ends too early            | 4
          a = 'x                | quote without its partner | 5
          `a = 1                | back-tick without         | 1
          'O'Brien' = s         | unexpected 'Brien'        | 4
          a = 1 ORDER BY a      | unexpected 'ORDER'        | 7
          a = 1)                | unexpected ')'            | 6
          a IN ()               | unexpected ')'            | 7
          a = ?                 | Placeholders              | 5
          a IN (SELECT 1)       | Sub-queries               | 6
          (a, a) = (1, 1)       | Tuples                    | 1
          a XOR b               | XOR                       | 3
          CASE WHEN a THEN b END | only inside the arguments | 1
          d + interval '1 day' = d | only inside the arguments | 5
          s LIKE 'a!%' ESCAPE '!' | backslash               | 21
          """)
  void whatIsNotInTheLanguageIsRefusedWithItsPosition(String text, String problem, int position) {
    assertThatThrownBy(() -> Expression.parse(text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(problem)
        .hasMessageContaining("at position " + position + ":");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a = 1;",
        "a = 1 -- the rest of the line",
        "a /* anything */ == 1",
      })
  void commentsAndFinalSemicolonDoNotCount(String text) {
    assertThat(Expression.parse(text)).isEqualTo(Expression.parse("a = 1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NOT a = 5 AND b OR c",
        "a.b.`C d`['e'][1] IN (1, -2.5, NULL)",
        "coalesce(CASE a WHEN 1 THEN 'x' ELSE \"y\"\"z\" END, 'w')",
        "d = date '2021-01-01' AND x = decimal(10,2) '1.50' AND t > timestamp(3) '2021-01-01'",
        "s NOT LIKE '%\\_%' AND s ILIKE 'a%' AND x NOT BETWEEN 1 AND 2 + 3 * -4",
        "b = X'00ff' AND l = [1, 2] AND try_cast(s AS int) IS NOT NULL",
        "lower(s) || 'x' = 'ax' AND f(a, b IS DISTINCT FROM c, s ~ 'x', d + INTERVAL '1 day')",
        "select = 'k' AND `and` IS TRUE AND \u00fcber = 1",
      })
  void textOfATreeParsesToTheSameTree(String text) {
    Expression tree = Expression.parse(text);

    assertThat(Expression.parse(tree.toString())).isEqualTo(tree);
  }

  @Test
  void precedenceIsThatOfSql() {
    assertThat(Expression.parse("not a = 5 and b or c"))
        .isEqualTo(Expression.parse("((NOT (a = 5)) AND b) OR c"));
    assertThat(Expression.parse("a + b * -c || 'x' = d"))
        .isEqualTo(Expression.parse("((a + (b * (-c))) || 'x') = d"));
    assertThat(Expression.parse("a = 5 = true")).isEqualTo(Expression.parse("(a = 5) = true"));
  }

  @Test
  void numbersBeyondInt64AreDoubles() {
    assertThat(Expression.parse("9223372036854775807"))
        .isEqualTo(new Expression.Literal(Long.MAX_VALUE));
    assertThat(Expression.parse("-9223372036854775808")).isEqualTo(new Expression.Literal(-0x1p63));
  }

  @Test
  void tenThousandTermsWork() {
    String terms =
        IntStream.range(0, 10_000).mapToObj(i -> "a = " + i).collect(Collectors.joining(" OR "));
    String items =
        IntStream.range(0, 10_000).mapToObj(String::valueOf).collect(Collectors.joining(", "));

    assertThat(RowFilter.of(terms, SCHEMA).columns()).containsExactly(List.of("a"));
    assertThat(RowFilter.of("a IN (" + items + ")", SCHEMA).columns())
        .containsExactly(List.of("a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "abs(", "- (", "NOT (", "[", "CASE "})
  void deepNestingIsRefusedWithAClearLimit(String opening) throws InterruptedException {
    Throwable[] failure = new Throwable[1];
    String text = opening.repeat(1_000) + "a";
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                Expression.parse(text);
              } catch (InvalidInputException e) {
                failure[0] = e;
              }
            },
            "small stack",
            1 << 20);
    thread.start();
    thread.join();

    assertThat(failure[0]).hasMessageContaining("nested more than 250 levels deep");
  }

  @Test
  void moderateNestingWorks() {
    String text = "(".repeat(200) + "a" + ")".repeat(200) + " = 1";

    assertThat(Expression.parse(text)).isEqualTo(Expression.parse("a = 1"));
  }

  @Test
  void deepTreesBuiltInJavaAreRefusedWhenBound() {
    Expression tree = Expressions.eq("a", 1);
    for (int i = 0; i < 10_000; i++) {
      tree = Expressions.not(tree);
    }
    Expression deep = tree;

    assertThatThrownBy(() -> RowFilter.of(deep, SCHEMA))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("nested more than");
    assertThat(deep.toString()).contains("…");
  }

  @Test
  void longChainsOfArithmeticAreRefusedWithAClearLimit() {
    String chain =
        IntStream.range(0, 5_000).mapToObj(String::valueOf).collect(Collectors.joining(" + "));

    assertThatThrownBy(() -> Expression.parse(chain))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("arithmetic operators");
  }
}
