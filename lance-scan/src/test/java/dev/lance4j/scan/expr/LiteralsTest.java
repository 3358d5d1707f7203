package dev.lance4j.scan.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiteralsTest {
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
  @ValueSource(
      strings = {"", "O'Brien", "x' OR 1=1 --", "back\\slash", "\"dq\"", "b`t", "''", "a\nb", "日本"})
  void anyStringComesBackAsItWas(String value) {
    assertThat(Expression.parse(Literals.of(value))).isEqualTo(new Expression.Literal(value));
  }

  @Test
  void numbersComeBackAsTheyWere() {
    assertThat(Expression.parse(Literals.of(-42))).isEqualTo(new Expression.Literal(-42L));
    assertThat(Expression.parse(Literals.of(1.5e300))).isEqualTo(new Expression.Literal(1.5e300));
    assertThat(Expression.parse(Literals.of(0.1f))).isEqualTo(new Expression.Literal(0.1));
    assertThat(Expression.parse(Literals.of(true))).isEqualTo(new Expression.Literal(true));
    assertThat(Expression.parse(Literals.of(null))).isEqualTo(new Expression.Literal(null));
  }

  @Test
  void everyKindOfValueFindsItsRow() {
    assertThat(find("i64", Long.MIN_VALUE)).containsExactly(4);
    assertThat(find("f64", Double.NaN)).containsExactly(4);
    assertThat(find("f64", Double.NEGATIVE_INFINITY)).containsExactly(6);
    assertThat(find("f64", -0.0)).containsExactly(1);
    assertThat(find("dec", new BigDecimal("123.45"))).containsExactly(11);
    assertThat(find("bin", new byte[] {(byte) 0xde, (byte) 0xad, (byte) 0xbe, (byte) 0xef}))
        .containsExactly(3);
    assertThat(find("d32", LocalDate.of(2000, 2, 29))).containsExactly(6);
    assertThat(find("ts_us", LocalDateTime.of(2021, 1, 1, 0, 0, 0, 123_456_000)))
        .containsExactly(4);
    assertThat(find("tz_us", Instant.parse("2021-01-01T12:00:00Z"))).containsExactly(7);
    assertThat(find("li", Arrays.asList(2, 3, null))).containsExactly(9);
  }

  private List<Integer> find(String column, Object value) {
    return table.select(column + " = " + Literals.of(value));
  }

  @Test
  void valuesWithoutLiteralAreRefused() {
    assertThatThrownBy(() -> Literals.of(new Object()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("java.lang.Object");
    assertThatThrownBy(() -> Literals.of(new BigDecimal("1e-50")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("38 digits");
  }
}
