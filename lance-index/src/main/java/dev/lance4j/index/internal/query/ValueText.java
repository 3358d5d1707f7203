package dev.lance4j.index.internal.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.sort.ValueKeys;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import org.apache.arrow.memory.util.Float16;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Values as statistics of indices show them, which is how the format's first implementation does.
 */
public final class ValueText {
  private static final String NULL = "NULL";
  private static final int SHOWN_BYTES = 10;
  private static final int MAX_DIGITS = 17;

  private ValueText() {}

  /** A value of an array that is not nested. */
  public static String of(Field field, ArrayData array, int row) {
    ArrowType type = field.getType();
    if (!array.isValid(row)) {
      return type instanceof ArrowType.Decimal decimal ? "None" + digits(decimal) : NULL;
    }
    byte[] bytes = ValueKeys.of(field).bytes(array, row);
    return switch (type.getTypeID()) {
      case Bool -> bytes[0] == 0 ? "false" : "true";
      case FloatingPoint -> floating(bytes);
      case Int -> integer(bytes, ((ArrowType.Int) type).getIsSigned()).toString();
      case Decimal -> "Some(" + integer(bytes, true) + ")" + digits((ArrowType.Decimal) type);
      case Date -> date(integer(bytes, true).longValue(), bytes.length);
      case Utf8, LargeUtf8 -> new String(bytes, UTF_8);
      case Binary, LargeBinary, FixedSizeBinary -> hexadecimal(bytes);
      default -> integer(bytes, true).toString();
    };
  }

  private static String digits(ArrowType.Decimal type) {
    return "," + type.getPrecision() + "," + type.getScale();
  }

  private static BigInteger integer(byte[] littleEndian, boolean signed) {
    byte[] bytes = new byte[littleEndian.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = littleEndian[bytes.length - 1 - i];
    }
    return signed ? new BigInteger(bytes) : new BigInteger(1, bytes);
  }

  private static String floating(byte[] bytes) {
    long bits = integer(bytes, true).longValue();
    return switch (bytes.length) {
      case 2 -> floating(Float16.toFloat((short) bits), true);
      case 4 -> floating(Float.intBitsToFloat((int) bits), true);
      default -> floating(Double.longBitsToDouble(bits), false);
    };
  }

  /** The fewest digits that tell a number from all others of its type. */
  private static String floating(double value, boolean single) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    if (value == 0) {
      return 1 / value < 0 ? "-0" : "0";
    }
    BigDecimal exact = new BigDecimal(value);
    BigDecimal rounded = exact;
    for (int digits = 1; digits <= MAX_DIGITS; digits++) {
      rounded = exact.round(new MathContext(digits));
      if (single ? rounded.floatValue() == (float) value : rounded.doubleValue() == value) {
        break;
      }
    }
    return rounded.stripTrailingZeros().toPlainString();
  }

  /** A number of days, or of milliseconds where it has 64 bits. */
  private static String date(long value, int width) {
    try {
      LocalDate day =
          width == Integer.BYTES
              ? LocalDate.ofEpochDay(value)
              : LocalDate.ofInstant(Instant.ofEpochMilli(value), ZoneOffset.UTC);
      return day.toString();
    } catch (DateTimeException e) {
      return Long.toString(value);
    }
  }

  private static String hexadecimal(byte[] bytes) {
    HexFormat format = HexFormat.of().withUpperCase();
    return bytes.length <= SHOWN_BYTES
        ? format.formatHex(bytes)
        : format.formatHex(Arrays.copyOf(bytes, SHOWN_BYTES)) + "...";
  }
}
