package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.eval.TemporalText;
import dev.lance4j.scan.internal.expr.values.IntervalValues;
import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.List;
import java.util.Locale;

/** The parts of a date or time that can be asked for. */
enum DateField {
  YEAR(List.of("year", "years", "y", "yr", "yrs"), 0),
  QUARTER(List.of("quarter", "quarters", "qtr", "qtrs"), 0),
  MONTH(List.of("month", "months", "mon", "mons"), 0),
  WEEK(List.of("week", "weeks", "w"), 0),
  DAY(List.of("day", "days", "d"), 86_400 * TemporalText.NANOS_PER_SECOND),
  HOUR(List.of("hour", "hours", "h", "hr", "hrs"), 3_600 * TemporalText.NANOS_PER_SECOND),
  MINUTE(List.of("minute", "minutes", "m", "min", "mins"), 60 * TemporalText.NANOS_PER_SECOND),
  SECOND(List.of("second", "seconds", "s", "sec", "secs"), TemporalText.NANOS_PER_SECOND),
  MILLISECOND(List.of("millisecond", "milliseconds", "ms", "msec", "msecs"), 1_000_000),
  MICROSECOND(List.of("microsecond", "microseconds", "us", "usec", "usecs"), 1_000),
  DAY_OF_WEEK(List.of("dow"), 0),
  DAY_OF_YEAR(List.of("doy"), 0),
  ISO_DAY_OF_WEEK(List.of("isodow"), 0),
  ISO_YEAR(List.of("isoyear"), 0),
  EPOCH(List.of("epoch"), 0);

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> names;

  private final long nanos;

  DateField(List<String> names, long nanos) {
    this.names = names;
    this.nanos = nanos;
  }

  /** The field of a name, ignoring case. */
  static DateField of(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    for (DateField field : values()) {
      if (field.names.contains(lower)) {
        return field;
      }
    }
    throw new InvalidInputException(
        "Unknown part of a date '"
            + name
            + "'; use year, quarter, month, week, day, hour, minute, second, millisecond,"
            + " microsecond, dow, doy, isodow, isoyear or epoch");
  }

  /** The field to which a timestamp can be cut; only the full name counts. */
  static DateField truncatable(String name) {
    DateField field = of(name);
    if (field.compareTo(MICROSECOND) > 0
        || !field.name().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
      throw new InvalidInputException(
          "date_trunc knows year, quarter, month, week, day, hour, minute, second, millisecond and"
              + " microsecond, not '"
              + name
              + "'");
    }
    return field;
  }

  /** The length of the field if it is always the same; else 0. */
  long nanos() {
    return nanos;
  }

  int of(LocalDateTime time) {
    return switch (this) {
      case YEAR -> time.getYear();
      case QUARTER -> time.get(IsoFields.QUARTER_OF_YEAR);
      case MONTH -> time.getMonthValue();
      case WEEK -> time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
      case DAY -> time.getDayOfMonth();
      case HOUR -> time.getHour();
      case MINUTE -> time.getMinute();
      case SECOND -> time.getSecond();
      case MILLISECOND -> time.getSecond() * 1_000 + time.getNano() / 1_000_000;
      case MICROSECOND -> time.getSecond() * 1_000_000 + time.getNano() / 1_000;
      case DAY_OF_WEEK -> time.getDayOfWeek().getValue() % 7;
      case DAY_OF_YEAR -> time.getDayOfYear();
      case ISO_DAY_OF_WEEK -> time.getDayOfWeek().getValue() - 1;
      case ISO_YEAR -> time.get(IsoFields.WEEK_BASED_YEAR);
      case EPOCH -> throw new IllegalStateException("Not a calendar field");
    };
  }

  /** The field of a time of day, or of a duration, whose hours do not wrap. */
  long ofSpan(long value, long ticksPerSecond, boolean duration) {
    long seconds = Math.floorDiv(value, ticksPerSecond);
    long nanosOfSecond =
        Math.floorMod(value, ticksPerSecond) * (TemporalText.NANOS_PER_SECOND / ticksPerSecond);
    return switch (this) {
      case HOUR -> seconds / 3_600 % 24;
      case MINUTE -> seconds / 60 % 60;
      case SECOND -> seconds % 60;
      case MILLISECOND -> seconds % 60 * 1_000 + nanosOfSecond / 1_000_000;
      case MICROSECOND -> seconds % 60 * 1_000_000 + nanosOfSecond / 1_000;
      case DAY -> {
        if (!duration) {
          throw unsupported("a time of day");
        }
        yield seconds / TemporalText.SECONDS_PER_DAY;
      }
      default -> throw unsupported(duration ? "a duration" : "a time of day");
    };
  }

  long ofInterval(IntervalValues interval, int row) {
    long seconds = interval.nanos(row) / TemporalText.NANOS_PER_SECOND;
    return switch (this) {
      case YEAR -> interval.months(row) / 12;
      case QUARTER -> interval.months(row) % 12 / 3 + 1;
      case MONTH -> interval.months(row) % 12;
      case WEEK -> interval.days(row) / 7;
      case DAY -> interval.days(row);
      case HOUR -> seconds / 3_600;
      case MINUTE -> seconds / 60 % 60;
      case SECOND -> seconds % 60;
      default -> throw unsupported("an interval");
    };
  }

  private InvalidInputException unsupported(String what) {
    return new InvalidInputException(
        "There is no " + name().toLowerCase(Locale.ROOT) + " of " + what);
  }

  /** The first moment of the field that contains a time. */
  LocalDateTime startOf(LocalDateTime time) {
    LocalDateTime day = time.truncatedTo(ChronoUnit.DAYS);
    return switch (this) {
      case YEAR -> day.withDayOfYear(1);
      case QUARTER -> day.withDayOfMonth(1).withMonth((day.getMonthValue() - 1) / 3 * 3 + 1);
      case MONTH -> day.withDayOfMonth(1);
      case WEEK -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case DAY -> day;
      case HOUR -> time.truncatedTo(ChronoUnit.HOURS);
      case MINUTE -> time.truncatedTo(ChronoUnit.MINUTES);
      case SECOND -> time.truncatedTo(ChronoUnit.SECONDS);
      case MILLISECOND -> time.truncatedTo(ChronoUnit.MILLIS);
      default -> time.truncatedTo(ChronoUnit.MICROS);
    };
  }
}
