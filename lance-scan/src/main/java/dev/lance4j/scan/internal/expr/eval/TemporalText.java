package dev.lance4j.scan.internal.expr.eval;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Dates, times and timestamps as text. */
public final class TemporalText {
  public static final long NANOS_PER_SECOND = 1_000_000_000L;
  public static final long SECONDS_PER_DAY = 86_400L;

  private static final Pattern DATE =
      Pattern.compile("([+-]\\d{4,6}|\\d{4})-(\\d{1,2})-(\\d{1,2})");
  private static final Pattern COMPACT_DATE = Pattern.compile("(\\d{4})(\\d{2})(\\d{2})");
  private static final Pattern TIMESTAMP =
      Pattern.compile(
          "(\\d{4})-(\\d{2})-(\\d{2})"
              + "(?:[Tt ](\\d{2}):?(\\d{2}):?(\\d{2})(?:\\.(\\d{1,100}))?(.*))?",
          Pattern.DOTALL);
  private static final Pattern TIME =
      Pattern.compile("(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?(?: ?([AaPp])[Mm])?");
  private static final Pattern OFFSET = Pattern.compile("([+-])(\\d{2})(?::?(\\d{2}))?");
  private static final int MAX_DAYS = 95_000_000;

  private TemporalText() {}

  /** Days since 1970; empty if the text is no date. A time of day after the date is ignored. */
  public static OptionalLong date(String text) {
    Matcher matcher = DATE.matcher(text);
    Matcher date = matcher.matches() ? matcher : COMPACT_DATE.matcher(text);
    if (date.matches()) {
      try {
        return OptionalLong.of(
            LocalDate.of(number(date, 1), number(date, 2), number(date, 3)).toEpochDay());
      } catch (DateTimeException e) {
        return OptionalLong.empty();
      }
    }
    LocalDateTime time = timestamp(text, ZoneOffset.UTC);
    return time == null ? OptionalLong.empty() : OptionalLong.of(time.toLocalDate().toEpochDay());
  }

  /**
   * A timestamp as date-time in UTC; null if the text is none. An offset or zone in the text
   * counts; without one the text is local time in the given zone.
   */
  public static LocalDateTime timestamp(String text, ZoneId zone) {
    Matcher matcher = TIMESTAMP.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    try {
      LocalDateTime local = local(matcher);
      String suffix = matcher.group(8);
      ZoneId effective = suffix == null || suffix.isEmpty() ? zone : zone(suffix);
      ZoneOffset offset = effective == null ? null : onlyOffset(local, effective);
      return offset == null ? null : local.minusSeconds(offset.getTotalSeconds());
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static LocalDateTime local(Matcher matcher) {
    LocalDate date = LocalDate.of(number(matcher, 1), number(matcher, 2), number(matcher, 3));
    if (matcher.group(4) == null) {
      return date.atStartOfDay();
    }
    int second = number(matcher, 6);
    LocalTime time =
        LocalTime.of(
            number(matcher, 4),
            number(matcher, 5),
            Math.min(second, second == 60 ? 59 : second),
            nanos(matcher.group(7)));
    return date.atTime(time).plusSeconds(second == 60 ? 1 : 0);
  }

  private static int number(Matcher matcher, int group) {
    return Integer.parseInt(matcher.group(group));
  }

  private static int nanos(String digits) {
    return digits == null ? 0 : Integer.parseInt((digits + "00000000").substring(0, 9));
  }

  /** The zone at the end of a timestamp: Z, an offset or a name; null if it is none. */
  private static ZoneId zone(String suffix) {
    if (suffix.equalsIgnoreCase("z")) {
      return ZoneOffset.UTC;
    }
    return zoneOf(suffix.startsWith(" ") ? suffix.substring(1) : suffix);
  }

  /** A zone by offset or name; null if it is none. */
  public static ZoneId zoneOf(String name) {
    Matcher offset = OFFSET.matcher(name);
    if (offset.matches()) {
      int minutes = offset.group(3) == null ? 0 : number(offset, 3);
      int seconds = (number(offset, 2) * 60 + minutes) * 60;
      return ZoneOffset.ofTotalSeconds(offset.group(1).equals("-") ? -seconds : seconds);
    }
    return ZoneId.getAvailableZoneIds().contains(name) ? ZoneId.of(name).normalized() : null;
  }

  /** The offset of a local time; null if the local time does not exist or exists twice. */
  public static ZoneOffset onlyOffset(LocalDateTime local, ZoneId zone) {
    var offsets = zone.getRules().getValidOffsets(local);
    return offsets.size() == 1 ? offsets.get(0) : null;
  }

  /** Nanoseconds since midnight; empty if the text is no time of day. */
  public static OptionalLong time(String text) {
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    int hour = number(matcher, 1);
    if (matcher.group(5) != null) {
      if (hour < 1 || hour > 12) {
        return OptionalLong.empty();
      }
      hour = hour % 12 + (matcher.group(5).equalsIgnoreCase("p") ? 12 : 0);
    }
    int minute = number(matcher, 2);
    int second = matcher.group(3) == null ? 0 : number(matcher, 3);
    if (hour > 23 || minute > 59 || second > 60) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        ((hour * 60L + minute) * 60 + second) * NANOS_PER_SECOND + nanos(matcher.group(4)));
  }

  /** Ticks of a date-time; empty if they do not fit 64 bits. Finer digits are cut off. */
  public static OptionalLong ticks(LocalDateTime time, long ticksPerSecond) {
    BigInteger ticks =
        BigInteger.valueOf(time.toEpochSecond(ZoneOffset.UTC))
            .multiply(BigInteger.valueOf(ticksPerSecond))
            .add(
                BigInteger.valueOf(
                    time.get(ChronoField.NANO_OF_SECOND) / (NANOS_PER_SECOND / ticksPerSecond)));
    return ticks.bitLength() < Long.SIZE
        ? OptionalLong.of(ticks.longValue())
        : OptionalLong.empty();
  }

  /** The date-time of ticks, in UTC; null if the calendar does not reach that far. */
  public static LocalDateTime dateTime(long ticks, long ticksPerSecond) {
    long seconds = Math.floorDiv(ticks, ticksPerSecond);
    if (Math.abs(seconds / SECONDS_PER_DAY) > MAX_DAYS) {
      return null;
    }
    long rest = Math.floorMod(ticks, ticksPerSecond);
    return LocalDateTime.ofEpochSecond(
        seconds, (int) (rest * (NANOS_PER_SECOND / ticksPerSecond)), ZoneOffset.UTC);
  }

  /** A date as {@code 2021-01-01}. */
  public static String formatDate(long days) {
    return Math.abs(days) > MAX_DAYS ? null : LocalDate.ofEpochDay(days).toString();
  }

  /**
   * A timestamp as {@code 2021-01-01T00:00:00.123}, with {@code Z} or its offset if it has a zone.
   */
  public static String formatTimestamp(long ticks, long ticksPerSecond, ZoneId zone) {
    LocalDateTime utc = dateTime(ticks, ticksPerSecond);
    if (utc == null) {
      return null;
    }
    if (zone == null) {
      return formatLocal(utc);
    }
    ZonedDateTime local = utc.atZone(ZoneOffset.UTC).withZoneSameInstant(zone);
    return formatLocal(local.toLocalDateTime()) + local.getOffset().getId();
  }

  private static String formatLocal(LocalDateTime time) {
    return time.toLocalDate() + "T" + formatTime(time.toLocalTime().toNanoOfDay());
  }

  /** A time of day as {@code 01:00:00.000001}: no fraction, or 3, 6 or 9 digits of it. */
  public static String formatTime(long nanos) {
    long seconds = nanos / NANOS_PER_SECOND;
    int fraction = (int) (nanos % NANOS_PER_SECOND);
    String clock =
        twoDigits(seconds / 3_600)
            + ":"
            + twoDigits(seconds / 60 % 60)
            + ":"
            + twoDigits(seconds % 60);
    if (fraction == 0) {
      return clock;
    }
    String digits = Integer.toString(1_000_000_000 + fraction).substring(1);
    int length = fraction % 1_000_000 == 0 ? 3 : fraction % 1_000 == 0 ? 6 : 9;
    return clock + "." + digits.substring(0, length);
  }

  private static String twoDigits(long number) {
    return number < 10 ? "0" + number : Long.toString(number);
  }
}
