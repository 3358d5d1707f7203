package dev.lance4j.table.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HumanDurationTest {
  @ParameterizedTest
  @CsvSource({
    "0s, PT0S",
    "14days, PT336H",
    "1h 30m, PT1H30M",
    "1h30m, PT1H30M",
    "2 weeks, PT336H",
    "1day 1s, PT24H1S",
    "5ms, PT0.005S",
    "7us 9ns, PT0.000007009S",
    "1year, PT8766H",
    "1M, PT730H33M36S"
  })
  void textOfSettingsIsUnderstood(String text, Duration expected) {
    assertThat(HumanDuration.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "14", "days", "-1s", "1.5h", "1h 30", "1 fortnight", "1h, 2m"})
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> HumanDuration.parse(text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(text);
  }
}
