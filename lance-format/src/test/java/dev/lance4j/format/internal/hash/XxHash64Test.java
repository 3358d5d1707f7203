package dev.lance4j.format.internal.hash;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XxHash64Test {
  /** The values that the function's reference implementation gives. */
  @ParameterizedTest
  @CsvSource({
    "'', ef46db3751d8e999",
    "a, d24ec4f1a98c6e5b",
    "abc, 44bc2cf5ad770999",
    "Nobody inspects the spammish repetition, fbcea83c8a378bf1"
  })
  void isTheReferenceFunction(String text, String expected) {
    byte[] bytes = ("__" + text + "__").getBytes(US_ASCII);
    assertThat(Long.toHexString(XxHash64.hash(bytes, 2, text.length()))).isEqualTo(expected);
  }
}
