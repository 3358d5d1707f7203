package dev.lance4j.scan.internal.expr.parse;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.Expression;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Reads the text of an interval, such as {@code 1 year 2 days} or {@code 1.5 hours}. */
final class Intervals {
  private static final BigDecimal DAYS_PER_MONTH = BigDecimal.valueOf(30);
  private static final BigDecimal NANOS_PER_DAY = BigDecimal.valueOf(86_400_000_000_000L);

  private BigDecimal months = BigDecimal.ZERO;
  private BigDecimal days = BigDecimal.ZERO;
  private BigDecimal nanos = BigDecimal.ZERO;

  private Intervals() {}

  static Expression.IntervalLiteral parse(String text) {
    String[] parts = text.strip().split("\\s+", -1);
    Intervals result = new Intervals();
    if (parts.length == 1) {
      result.add(number(parts[0]), "seconds");
      return result.literal();
    }
    if (parts.length % 2 != 0) {
      throw new InvalidInputException("Expected pairs of a number and a unit");
    }
    for (int i = 0; i < parts.length; i += 2) {
      result.add(number(parts[i]), parts[i + 1].toLowerCase(Locale.ROOT));
    }
    return result.literal();
  }

  private static BigDecimal number(String text) {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw new InvalidInputException("Not a number: '" + text + "'", e);
    }
  }

  private void add(BigDecimal amount, String unit) {
    switch (unit.endsWith("s") && unit.length() > 2 ? unit.substring(0, unit.length() - 1) : unit) {
      case "century", "centurie" -> months = months.add(amount.multiply(BigDecimal.valueOf(1_200)));
      case "decade" -> months = months.add(amount.multiply(BigDecimal.valueOf(120)));
      case "year", "y" -> months = months.add(amount.multiply(BigDecimal.valueOf(12)));
      case "month", "mon" -> months = months.add(amount);
      case "week", "w" -> days = days.add(amount.multiply(BigDecimal.valueOf(7)));
      case "day", "d" -> days = days.add(amount);
      case "hour", "h" -> addNanos(amount, 3_600_000_000_000L);
      case "minute", "min", "m" -> addNanos(amount, 60_000_000_000L);
      case "second", "sec", "s" -> addNanos(amount, 1_000_000_000L);
      case "millisecond", "ms" -> addNanos(amount, 1_000_000L);
      case "microsecond", "us" -> addNanos(amount, 1_000L);
      case "nanosecond", "ns" -> addNanos(amount, 1L);
      default -> throw new InvalidInputException("Unknown unit of an interval: '" + unit + "'");
    }
  }

  private void addNanos(BigDecimal amount, long perUnit) {
    nanos = nanos.add(amount.multiply(BigDecimal.valueOf(perUnit)));
  }

  /** Fractions of months go to days, fractions of days to nanoseconds. */
  private Expression.IntervalLiteral literal() {
    BigDecimal wholeMonths = months.setScale(0, RoundingMode.DOWN);
    BigDecimal allDays = days.add(months.subtract(wholeMonths).multiply(DAYS_PER_MONTH));
    BigDecimal wholeDays = allDays.setScale(0, RoundingMode.DOWN);
    BigDecimal allNanos = nanos.add(allDays.subtract(wholeDays).multiply(NANOS_PER_DAY));
    return new Expression.IntervalLiteral(
        wholeMonths.intValueExact(),
        wholeDays.intValueExact(),
        allNanos.setScale(0, RoundingMode.DOWN).longValueExact());
  }
}
