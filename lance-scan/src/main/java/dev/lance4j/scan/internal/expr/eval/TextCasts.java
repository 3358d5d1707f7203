package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.json.NumberText;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.BoolValues;
import dev.lance4j.scan.internal.expr.values.BytesValues;
import dev.lance4j.scan.internal.expr.values.DecimalValues;
import dev.lance4j.scan.internal.expr.values.DoubleValues;
import dev.lance4j.scan.internal.expr.values.IntervalValues;
import dev.lance4j.scan.internal.expr.values.ListValues;
import dev.lance4j.scan.internal.expr.values.LongValues;
import dev.lance4j.scan.internal.expr.values.Values;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Conversions from and to text. */
final class TextCasts {
  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]{1,40}");
  private static final Pattern FLOAT =
      Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
  private static final Pattern SPECIAL = Pattern.compile("[+-]?(inf|infinity|nan)");
  private static final Pattern DECIMAL = Pattern.compile("[+-]?[0-9]*\\.?[0-9]*");
  private static final int MAX_DECIMAL_TEXT = 1_000;
  private static final int MAX_TICKS = 18;

  private TextCasts() {}

  static Values toText(Values values, Type from, Type to, boolean safe) {
    ValuesBuilder result = new ValuesBuilder(to);
    ZoneId zone = Casts.zone(from);
    for (int i = 0; i < values.size(); i++) {
      if (values.isNull(i)) {
        result.appendNull();
      } else if (from.kind().isBinary()) {
        appendUtf8((BytesValues) values, i, result, safe);
      } else {
        String text = text(values, from, zone, i);
        if (text == null && !safe) {
          throw Casts.failure("a date beyond the calendar", to);
        } else if (text == null) {
          result.appendNull();
        } else {
          result.append(text);
        }
      }
    }
    return result.build();
  }

  private static void appendUtf8(BytesValues bytes, int row, ValuesBuilder result, boolean safe) {
    ByteBuffer value = ByteBuffer.wrap(bytes.bytes(), bytes.starts()[row], bytes.length(row));
    try {
      result.append(StandardCharsets.UTF_8.newDecoder().decode(value).toString());
    } catch (CharacterCodingException e) {
      if (!safe) {
        throw new InvalidInputException("A binary value is no UTF-8 text; use encode(…, 'hex')", e);
      }
      result.appendNull();
    }
  }

  /** One value as text; null if the calendar does not reach that far. */
  static String text(Values values, Type type, ZoneId zone, int row) {
    if (values instanceof LongValues longs) {
      return ticks(longs.get(row), type, zone);
    } else if (values instanceof DoubleValues doubles) {
      double value = doubles.get(row);
      return switch (type.kind()) {
        case FLOAT64 -> NumberText.of(value);
        case FLOAT32 -> NumberText.of((float) value);
        default -> NumberText.half((float) value);
      };
    } else if (values instanceof BoolValues flags) {
      return Boolean.toString(flags.get(row));
    } else if (values instanceof DecimalValues decimals) {
      return new BigDecimal(decimals.get(row), type.scale()).toPlainString();
    } else if (values instanceof BytesValues bytes) {
      return bytes.string(row);
    } else if (values instanceof IntervalValues intervals) {
      return intervals.months(row)
          + " mons "
          + intervals.days(row)
          + " days "
          + intervals.nanos(row)
          + " nanos";
    } else if (values instanceof ListValues lists) {
      return list(lists, type.item().decoded(), row);
    }
    throw new InvalidInputException("A value of type " + type + " has no text");
  }

  private static String list(ListValues lists, Type item, int row) {
    StringBuilder text = new StringBuilder("[");
    ZoneId zone = Casts.zone(item);
    for (int i = lists.start(row); i < lists.end(row); i++) {
      text.append(i > lists.start(row) ? ", " : "");
      text.append(lists.items().isNull(i) ? "" : text(lists.items(), item, zone, i));
    }
    return text.append(']').toString();
  }

  private static String ticks(long value, Type type, ZoneId zone) {
    return switch (type.kind()) {
      case UINT64 -> Long.toUnsignedString(value);
      case DATE32 -> TemporalText.formatDate(value);
      case DATE64 -> TemporalText.formatTimestamp(value, 1_000, null);
      case TIME ->
          TemporalText.formatTime(value * (TemporalText.NANOS_PER_SECOND / type.ticksPerSecond()));
      case TIMESTAMP -> TemporalText.formatTimestamp(value, type.ticksPerSecond(), zone);
      case DURATION -> duration(value, type.ticksPerSecond());
      default -> Long.toString(value);
    };
  }

  /** As {@code 0 days 1 hours 0 mins 2.500 secs}, with the digits of the unit. */
  private static String duration(long value, long ticksPerSecond) {
    BigDecimal seconds =
        BigDecimal.valueOf(value % (60 * ticksPerSecond))
            .divide(BigDecimal.valueOf(ticksPerSecond));
    int digits = Long.toString(ticksPerSecond).length() - 1;
    long minutes = value / (60 * ticksPerSecond);
    return minutes / 1_440
        + " days "
        + minutes / 60 % 24
        + " hours "
        + minutes % 60
        + " mins "
        + seconds.setScale(digits).toPlainString()
        + " secs";
  }

  static Values fromText(BytesValues texts, Type to, boolean safe) {
    ValuesBuilder result = new ValuesBuilder(to);
    ZoneId zone = Casts.zone(to);
    for (int i = 0; i < texts.size(); i++) {
      if (texts.isNull(i)) {
        result.appendNull();
      } else {
        String text = texts.string(i);
        if (!parse(text, to, zone, result)) {
          if (!safe) {
            throw Casts.failure("string '" + text + "'", to);
          }
          result.appendNull();
        }
      }
    }
    return result.build();
  }

  private static boolean parse(String text, Type to, ZoneId zone, ValuesBuilder result) {
    return switch (to.kind()) {
      case BOOLEAN -> append(truth(text.strip()), result);
      case FLOAT16, FLOAT32, FLOAT64 -> parseFloat(text, to.kind(), result);
      case DECIMAL128, DECIMAL256 -> parseDecimal(text.strip(), to, result);
      case DATE32 -> append(TemporalText.date(text), result);
      case DATE64 -> append(timestamp(text, ZoneOffset.UTC, 1_000), result);
      case TIMESTAMP ->
          append(
              timestamp(text, zone == null ? ZoneOffset.UTC : zone, to.ticksPerSecond()), result);
      case TIME -> parseTime(text, to, result);
      case FIXED_BINARY -> parseFixed(text, to, result);
      default -> to.kind().isInteger() && parseInteger(text, to.kind(), result);
    };
  }

  private static boolean append(OptionalLong value, ValuesBuilder result) {
    value.ifPresent(result::append);
    return value.isPresent();
  }

  private static boolean append(Boolean value, ValuesBuilder result) {
    if (value != null) {
      result.append((boolean) value);
    }
    return value != null;
  }

  /** A truth value or an unambiguous beginning of one; null if the text is none. */
  private static Boolean truth(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.isEmpty() || lower.equals("o")) {
      return null;
    } else if ("true".startsWith(lower)
        || "yes".startsWith(lower)
        || lower.equals("on")
        || lower.equals("1")) {
      return Boolean.TRUE;
    } else if ("false".startsWith(lower)
        || "no".startsWith(lower)
        || "off".startsWith(lower)
        || lower.equals("0")) {
      return Boolean.FALSE;
    }
    return null;
  }

  private static boolean parseFloat(String text, Kind kind, ValuesBuilder result) {
    if (FLOAT.matcher(text).matches()) {
      result.append(
          kind == Kind.FLOAT64
              ? Double.parseDouble(text)
              : Casts.round(Float.parseFloat(text), kind));
      return true;
    }
    String lower = text.toLowerCase(Locale.ROOT);
    if (!SPECIAL.matcher(lower).matches()) {
      return false;
    }
    boolean negative = lower.startsWith("-");
    if (lower.endsWith("nan")) {
      result.append(negative ? Arithmetic.NEGATIVE_NAN : Double.NaN);
    } else {
      result.append(negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
    }
    return true;
  }

  private static boolean parseInteger(String text, Kind kind, ValuesBuilder result) {
    if (!INTEGER.matcher(text).matches()) {
      return false;
    }
    BigInteger value = new BigInteger(text.startsWith("+") ? text.substring(1) : text);
    if (!Casts.fits(value, kind) || (kind.isUnsigned() && text.startsWith("-"))) {
      return false;
    }
    result.append(value.longValue());
    return true;
  }

  private static boolean parseDecimal(String text, Type to, ValuesBuilder result) {
    if (text.length() > MAX_DECIMAL_TEXT || !DECIMAL.matcher(text).matches()) {
      return false;
    }
    boolean digits = text.chars().anyMatch(c -> c >= '0' && c <= '9');
    BigInteger value = digits ? Casts.unscaled(new BigDecimal(text), to.scale()) : BigInteger.ZERO;
    if (value.abs().compareTo(BigInteger.TEN.pow(to.width())) >= 0) {
      return false;
    }
    result.append(value);
    return true;
  }

  private static OptionalLong timestamp(String text, ZoneId zone, long ticksPerSecond) {
    LocalDateTime time = TemporalText.timestamp(text, zone);
    return time == null ? OptionalLong.empty() : TemporalText.ticks(time, ticksPerSecond);
  }

  /** A time of day, or the number of its ticks. */
  private static boolean parseTime(String text, Type to, ValuesBuilder result) {
    long day = TemporalText.SECONDS_PER_DAY * to.ticksPerSecond();
    OptionalLong nanos = TemporalText.time(text);
    if (nanos.isPresent()) {
      result.append(nanos.getAsLong() / (TemporalText.NANOS_PER_SECOND / to.ticksPerSecond()));
      return true;
    }
    boolean ticks = text.length() <= MAX_TICKS && INTEGER.matcher(text).matches();
    long value = ticks ? Long.parseLong(text) : -1;
    if (value < 0 || value >= day) {
      return false;
    }
    result.append(value);
    return true;
  }

  private static boolean parseFixed(String text, Type to, ValuesBuilder result) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length == to.width()) {
      result.append(bytes, 0, bytes.length);
    }
    return bytes.length == to.width();
  }
}
