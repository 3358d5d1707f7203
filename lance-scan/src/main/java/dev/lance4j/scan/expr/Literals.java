package dev.lance4j.scan.expr;

import dev.lance4j.format.InvalidInputException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** Java values as text of filter literals, safe to put into a filter whatever the value holds. */
public final class Literals {
  private static final int MAX_DIGITS = 38;
  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral(' ')
          .appendPattern("HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .toFormatter(java.util.Locale.ROOT);

  private Literals() {}

  /**
   * The text of a literal with the given value: quotes inside strings are doubled, dates and
   * timestamps become typed literals, binary becomes hexadecimal.
   *
   * <p>An {@code Instant} and the date-times with an offset are written in UTC: compare them with
   * columns without a zone or with zone UTC.
   *
   * @param value null, a {@code Boolean}, a number, a {@code CharSequence}, {@code Character},
   *     {@code Enum} (its name), {@code UUID} (its text), {@code byte[]}, {@code ByteBuffer},
   *     {@code LocalDate}, {@code LocalDateTime}, {@code Instant}, {@code OffsetDateTime}, {@code
   *     ZonedDateTime} or a {@code List} of literals
   * @throws InvalidInputException if the value has no literal
   */
  public static String of(Object value) {
    if (value == null) {
      return "NULL";
    } else if (value instanceof Boolean flag) {
      return flag ? "TRUE" : "FALSE";
    } else if (value instanceof Number number) {
      return number(number);
    } else if (value instanceof CharSequence
        || value instanceof Character
        || value instanceof UUID) {
      return string(value.toString());
    } else if (value instanceof Enum<?> constant) {
      return string(constant.name());
    } else if (value instanceof byte[] bytes) {
      return "X'" + HexFormat.of().formatHex(bytes) + "'";
    } else if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return of(bytes);
    } else if (value instanceof List<?> list) {
      return list.stream().map(Literals::of).collect(Collectors.joining(", ", "[", "]"));
    }
    return temporal(value);
  }

  private static String string(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private static String number(Number number) {
    if (number instanceof Double || number instanceof Float) {
      double value = number.doubleValue();
      if (Double.isFinite(value)) {
        return number.toString();
      }
      return "CAST('" + (Double.isNaN(value) ? "NaN" : value > 0 ? "inf" : "-inf") + "' AS double)";
    }
    if (number instanceof BigDecimal decimal) {
      return decimal(decimal);
    }
    if (number instanceof BigInteger integer) {
      return integer.bitLength() < Long.SIZE
          ? integer.toString()
          : decimal(new BigDecimal(integer));
    }
    if (number.longValue() == Long.MIN_VALUE) {
      return "CAST('" + number + "' AS bigint)";
    }
    return Long.toString(number.longValue());
  }

  private static String decimal(BigDecimal value) {
    BigDecimal plain = value.scale() < 0 ? value.setScale(0) : value;
    int digits = Math.max(plain.precision(), plain.scale());
    if (digits > MAX_DIGITS) {
      throw new InvalidInputException(
          "A decimal literal has at most " + MAX_DIGITS + " digits; this one has " + digits);
    }
    return "decimal(" + digits + "," + plain.scale() + ") '" + plain.toPlainString() + "'";
  }

  private static String temporal(Object value) {
    if (value instanceof LocalDate date) {
      return "date '" + date + "'";
    } else if (value instanceof LocalDateTime time) {
      return "timestamp("
          + (time.toLocalTime().toNanoOfDay() % 1_000 == 0 ? 6 : 9)
          + ") '"
          + TIMESTAMP.format(time)
          + "'";
    } else if (value instanceof Instant instant) {
      return temporal(LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
    } else if (value instanceof OffsetDateTime time) {
      return temporal(time.toInstant());
    } else if (value instanceof ZonedDateTime time) {
      return temporal(time.toInstant());
    }
    throw new InvalidInputException(
        "No filter literal for a value of " + value.getClass().getName());
  }
}
