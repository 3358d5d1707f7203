package dev.lance4j.scan.internal.expr.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.json.Jsonb;
import dev.lance4j.format.internal.json.JsonbValue;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPathTest {
  /** Hostile bytes are refused, or read as something; they never escape the value. */
  @Property(tries = 2_000)
  void damagedBytesAreRefused(@ForAll int position, @ForAll byte value, @ForAll byte cut) {
    byte[] bytes = Jsonb.encode("{\"a\":[1,2.5,\"xyz\"],\"b\":{\"c\":null}}");
    bytes[Math.floorMod(position, bytes.length)] = value;
    byte[] damaged = Arrays.copyOf(bytes, bytes.length - Math.floorMod(cut, 4));
    try {
      JsonPath.parse("$.a[*]").select(JsonbValue.root(damaged, 0, damaged.length));
    } catch (InvalidInputException e) {
      assertThat(e).hasMessageContaining("JSON");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          $.a             | [1,2,{"x":3}]
          a[0]            | 1
          $.a[last]       | {"x":3}
          $.a[last-1]     | 2
          $.a[0 to 1]     | 1 2
          $.a[*]          | 1 2 {"x":3}
          $.a[2].x        | 3
          $."b c"         | "s"
          $["b c"]        | "s"
          $.a[7]          |
          $.*             | [1,2,{"x":3}] "s"
          $.a[*] ? (@ > 1) | 2
          $.a[*] ? (@.x == 3 && exists(@.x)) | {"x":3}
          $ ? (@."b c" starts with "s").a[0] | 1
          """)
  void pathsSelect(String path, String expected) {
    byte[] json = Jsonb.encode("{\"a\":[1,2,{\"x\":3}],\"b c\":\"s\"}");
    List<JsonbValue> found = JsonPath.parse(path).select(JsonbValue.root(json, 0, json.length));

    assertThat(found.stream().map(JsonbValue::text).collect(Collectors.joining(" ")))
        .isEqualTo(expected == null ? "" : expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"$..a", "$a", "$.", "$.a[", "\"a\"", "$.a ? (@ > )", "$ ? (((("})
  void malformedPathsAreRefused(String path) {
    assertThatThrownBy(() -> JsonPath.parse(path))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("Invalid JSON path");
  }
}
