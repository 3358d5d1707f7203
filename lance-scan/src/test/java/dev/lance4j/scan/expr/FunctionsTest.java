package dev.lance4j.scan.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.function.Functions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions, each against a value worked out by hand. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FunctionsTest {
  private static final Pattern NAME = Pattern.compile("`([a-z_][a-z_0-9]*)(?:\\([^`]*)?`");

  private FilterTable table;

  @BeforeAll
  void open() throws IOException {
    table = FilterTable.open();
  }

  @AfterAll
  void close() throws IOException {
    table.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '@',
      textBlock =
          """
          initcap('hELLO wORLD-x1a')         | Hello World-X1a
          length('日本語')                     | 3
          octet_length('日本語')               | 9
          strpos('日本語', '語')                | 3
          position('b' in 'abc')             | 2
          left('abc', -1)                    | ab
          right('abc', -1)                   | bc
          substr('hello', 2, 3)              | ell
          substr('hello', -1, 4)             | he
          substring('hello' from 2 for 2)    | el
          split_part('a,b,c', ',', -1)       | c
          split_part('a,b', ',', 5)          | @@
          substr_index('a.b.c', '.', -2)     | b.c
          lpad('7', 3, '0')                  | 007
          rpad('abcd', 2, 'x')               | ab
          trim(leading 'x' from 'xxaxx')     | axx
          btrim('  a ')                      | a
          translate('abcd', 'abc', 'x')      | xd
          concat_ws('-', 'a', nul, 'b')      | a-b
          levenshtein('kitten', 'sitting')   | 3
          encode('abc', 'base64')            | YWJj
          encode(decode('6162', 'hex'), 'hex') | 6162
          to_hex(-1)                         | ffffffffffffffff
          md5('')                            | d41d8cd98f00b204e9800998ecf8427e
          find_in_set('b', 'a,b,c')          | 2
          contains_tokens('a-b c', 'c a')    | true
          contains_tokens('a', s)            | true
          regexp_replace('abcab', '(a)(b)', '\\2\\1', 'g') | bacba
          regexp_replace('abc', 'b', '[$0]') | a[b]c
          regexp_count('banana', 'an')       | 2
          regexp_instr('日本x', 'x')           | 3
          regexp_match('key=val', '(\\w+)=(\\w+)')[2] | val
          regexp_like('Ünïcode', '^\\w+$')   | true
          abs(-2.5)                          | 2.5
          round(-2.5)                        | -3.0
          round(2.345, 2)                    | 2.35
          trunc(-2.789, 1)                   | -2.7
          log(2, 8)                          | 3.0
          log2(1024)                         | 10.0
          power(2, 10)                       | 1024.0
          gcd(12, -18)                       | 6
          lcm(4, 6)                          | 12
          factorial(20)                      | 2432902008176640000
          greatest(5.5, 5)                   | 5.5
          least(3, nul, 2)                   | 2
          nanvl(cast('NaN' as double), 1.5)  | 1.5
          nullif(5, 5)                       | null
          nvl2(nul, 'a', 'b')                | b
          arrow_typeof(arrow_cast(1, 'Timestamp(Second, Some("UTC"))')) | Timestamp(s, "UTC")
          date_part('week', date '2021-01-03') | 53
          date_part('isodow', date '2021-01-03') | 6
          date_part('epoch', timestamp(0) '1970-01-02 00:00:01') | 86401.0
          extract(quarter from date '2021-08-01') | 3
          to_char(date '2021-03-04', '%d.%m.%y %j %b') | 04.03.21 063 Mar
          to_char(timestamp '2021-03-04 15:06:07.5', '%I:%M %p%.3f') | 03:06 PM.500
          to_date('04/03/2021', '%d/%m/%Y')  | 2021-03-04
          to_timestamp_millis(1500)          | 1970-01-01T00:00:01.500
          to_timestamp('2021-01-01 10:00', '%Y-%m-%d %H:%M') | 2021-01-01T10:00:00
          make_date(2021, 2, 28)             | 2021-02-28
          date '2021-01-31' + interval '1 month' | 2021-02-28
          date '2021-03-01' - date '2021-02-01' | 28
          to_unixtime('1970-01-02 00:00:00') | 86400
          array_sort([3, 1, 2], 'DESC')      | [3, 2, 1]
          array_slice([1, 2, 3, 4], 2, -2)   | [2, 3]
          array_positions([1, 2, 1], 1)      | [1, 3]
          array_replace_n([1, 1, 1], 1, 9, 2) | [9, 9, 1]
          array_union([1, 2], [2, 3])        | [1, 2, 3]
          array_except([1, 2, 2, 3], [3])    | [1, 2]
          array_resize([1], 3, 0)            | [1, 0, 0]
          array_to_string([1, NULL, 3], '-', 'x') | 1-x-3
          flatten(make_array([1, 2], [3]))   | [1, 2, 3]
          range(1, 7, 3)                     | [1, 4]
          generate_series(3, 1, -1)          | [3, 2, 1]
          array_distance([0, 3], [4, 0])     | 5.0
          cardinality(map(['a', 'b'], [1, 2])) | 2
          map(['a', 'b'], [1, 2])['b']       | 2
          named_struct('x', 1, 'y', 'z')['y'] | z
          string_to_array('a,b', ',')        | [a, b]
          """)
  void resultIs(String call, String expected) {
    Object value = table.project("cast(coalesce(" + call + ") as string)").get(0);

    assertThat(String.valueOf(value)).isEqualTo(expected == null ? "" : expected);
  }

  @Test
  void timestampsBeyondNanosecondsAreTruncatedRight() {
    assertThat(table.select("date_trunc('year', ts_us) = timestamp '9999-01-01 00:00:00'"))
        .containsExactly(23);
    assertThat(
            table.select("date_bin(interval '1 day', ts_s) = timestamp(0) '9999-12-31 00:00:00'"))
        .containsExactly(23);
  }

  @Test
  void eachRowHasItsOwnQueryOfTokens() {
    assertThat(table.select("contains_tokens(s, s)")).isEqualTo(table.select("s IS NOT NULL"));
  }

  @Test
  void truncationInAZoneKeepsToTheLocalDay() {
    assertThat(table.select("date_trunc('day', tz_ny) = timestamp '2020-12-31 00:00:00'"))
        .isEqualTo(table.select("cast(tz_ny as date) = date '2020-12-31'"))
        .isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "chr(55296)",
        "split_part(s, 'a', 0)",
        "repeat(s, 999999999999)",
        "lpad(s, 2000000000)",
        "regexp_like(s, '(?=a)')",
        "regexp_like(s, 'a', 'q')",
        "factorial(21)",
        "date_part('decade', d32)",
        "date_trunc('day', t64us)",
        "date_bin(interval '1 month', ts_us)",
        "make_date(2021, 2, 29)",
        "array_has(li, 'a')",
        "make_array('a', 1)",
        "range(1, 100000000)",
        "range(1, 5, 0)",
        "json_exists(js, '$..a')",
        "json_extract(s, '$')",
        "from_unixtime(0, 'Nowhere')",
        "arrow_cast(s, 'Int99')",
        "decode(s, 'rot13')",
      })
  void argumentsThatDoNotSuitAreRefused(String call) {
    assertThatThrownBy(() -> table.project(call)).isInstanceOf(InvalidInputException.class);
  }

  /** The page names a list function once, as {@code array_…}. */
  @Test
  void everyFunctionIsDocumented() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "functions.md"));
    Set<String> documented = new TreeSet<>(Set.of("is_valid"));
    Matcher matcher = NAME.matcher(page.substring(0, page.indexOf("## Not there")));
    while (matcher.find()) {
      documented.add(matcher.group(1));
    }

    assertThat(Functions.names())
        .allSatisfy(
            name ->
                assertThat(documented)
                    .as(name)
                    .containsAnyOf(name, name.replaceFirst("^list_", "array_")));
  }
}
