package dev.lance4j.table.internal;

import dev.lance4j.format.InvalidInputException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them in settings: {@code 14days}, {@code 1h 30m}, {@code 0s}. */
final class HumanDuration {
  private static final Pattern PART = Pattern.compile("\\s*(\\d{1,18})\\s*([a-zA-Zµ]+)\\s*");

  private HumanDuration() {}

  /**
   * Parses a duration: whole numbers with units, added up.
   *
   * @throws InvalidInputException if the text is not one
   */
  static Duration parse(String text) {
    Matcher part = PART.matcher(text);
    Duration sum = Duration.ZERO;
    int position = 0;
    try {
      while (position < text.length() && part.find(position) && part.start() == position) {
        sum = sum.plus(unit(part.group(2), text).multipliedBy(Long.parseLong(part.group(1))));
        position = part.end();
      }
    } catch (ArithmeticException e) {
      throw new InvalidInputException("The duration '" + text + "' is too long", e);
    }
    if (position == 0 || position < text.length()) {
      throw invalid(text);
    }
    return sum;
  }

  private static Duration unit(String unit, String text) {
    return switch (unit) {
      case "nsec", "ns" -> Duration.ofNanos(1);
      case "usec", "us", "µs" -> Duration.of(1, ChronoUnit.MICROS);
      case "msec", "ms" -> Duration.ofMillis(1);
      case "seconds", "second", "secs", "sec", "s" -> Duration.ofSeconds(1);
      case "minutes", "minute", "mins", "min", "m" -> Duration.ofMinutes(1);
      case "hours", "hour", "hrs", "hr", "h" -> Duration.ofHours(1);
      case "days", "day", "d" -> Duration.ofDays(1);
      case "weeks", "week", "wks", "wk", "w" -> Duration.ofDays(7);
      // Averages, with a year of 365.25 days.
      case "months", "month", "M" -> Duration.ofSeconds(2_630_016);
      case "years", "year", "yrs", "yr", "y" -> Duration.ofHours(8_766);
      default -> throw invalid(text);
    };
  }

  private static InvalidInputException invalid(String text) {
    return new InvalidInputException(
        "'" + text + "' is not a duration; write it like 14days, 1h 30m or 0s");
  }
}
