package dev.lance4j.format.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import java.util.Arrays;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonbTest {
  /** Bytes that the real library stores. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          0                    | 200000002000000100
          1                    | 20000000200000025001
          -1                   | 200000002000000240ff
          256                  | 2000000020000003500100
          -129                 | 200000002000000340ff7f
          65536                | 20000000200000055000010000
          4294967296           | 2000000020000009500000000100000000
          18446744073709551615 | 200000002000000950ffffffffffffffff
          -0.25                | 200000002000000960bfd0000000000000
          "x"                  | 200000001000000178
          true                 | 2000000040000000
          false                | 2000000030000000
          null                 | 2000000000000000
          []                   | 80000000
          {}                   | 40000000
          [1,[2,"a"],{"b":null}] | 80000003200000025000000f5000000d500180000002200000021000000150026140000001100000010000000062
          {"a":"xy","aa":{"k":[true]},"b":1} | 400000031000000110000002100000011000000250000015200000026161616278794000000110000001500000086b80000001400000005001
          """)
  void bytesAreThoseOfTheRealLibrary(String json, String hexadecimal) {
    byte[] bytes = Jsonb.encode(json);

    assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(hexadecimal);
    assertThat(Jsonb.decode(bytes)).isEqualTo(json);
  }

  @Test
  void keysAreSortedAndNumbersWrittenShortest() {
    assertThat(Jsonb.decode(Jsonb.encode("{\"b\": 1E5, \"a\": \"\\u00e9\\n\"}")))
        .isEqualTo("{\"a\":\"é\\n\",\"b\":100000.0}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[1,]", "{\"a\":1,\"a\":2}", "01", "tru", "\"x", "1 2", "{a:1}"})
  void whatIsNotJsonIsRefused(String json) {
    assertThatThrownBy(() -> Jsonb.encode(json))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("position");
  }

  @Test
  void deepNestingIsRefused() {
    assertThatThrownBy(() -> Jsonb.encode("[".repeat(100_000)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("500 levels");
  }

  /** Hostile bytes are refused, or read as something; they never escape the value. */
  @Property(tries = 2_000)
  void damagedBytesAreRefused(@ForAll int position, @ForAll byte value, @ForAll byte cut) {
    byte[] bytes = Jsonb.encode("{\"a\":[1,2.5,\"xyz\"],\"b\":{\"c\":null}}");
    bytes[Math.floorMod(position, bytes.length)] = value;
    byte[] damaged = Arrays.copyOf(bytes, bytes.length - Math.floorMod(cut, 4));
    try {
      Jsonb.decode(damaged);
    } catch (InvalidInputException e) {
      assertThat(e).hasMessageContaining("JSON");
    }
  }
}
