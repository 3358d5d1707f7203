package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.arrow.vector.types.TimeUnit;

/** Reads the Arrow names of types, as in {@code arrow_cast(x, 'Timestamp(Millisecond, None)')}. */
final class ArrowTypeText {
  private static final Map<String, Type> SIMPLE =
      Map.ofEntries(
          Map.entry("Null", Type.NULL),
          Map.entry("Boolean", Type.BOOLEAN),
          Map.entry("Int8", Type.INT8),
          Map.entry("Int16", Type.INT16),
          Map.entry("Int32", Type.INT32),
          Map.entry("Int64", Type.INT64),
          Map.entry("UInt8", Type.UINT8),
          Map.entry("UInt16", Type.UINT16),
          Map.entry("UInt32", Type.UINT32),
          Map.entry("UInt64", Type.UINT64),
          Map.entry("Float16", Type.FLOAT16),
          Map.entry("Float32", Type.FLOAT32),
          Map.entry("Float64", Type.FLOAT64),
          Map.entry("Utf8", Type.UTF8),
          Map.entry("Utf8View", Type.UTF8),
          Map.entry("LargeUtf8", Type.LARGE_UTF8),
          Map.entry("Binary", Type.BINARY),
          Map.entry("BinaryView", Type.BINARY),
          Map.entry("LargeBinary", Type.LARGE_BINARY),
          Map.entry("Date32", Type.DATE32),
          Map.entry("Date64", Type.DATE64));
  private static final Pattern PARAMETERS = Pattern.compile("(\\w+)\\((.*)\\)");
  private static final Pattern DECIMAL = Pattern.compile("(\\d{1,2}), ?(\\d{1,2})");
  private static final Pattern TIMESTAMP =
      Pattern.compile("(\\w+|µs), ?(?:None|Some\\(\"([^\"]*)\"\\)|\"([^\"]*)\")");
  private static final Pattern SIZED = Pattern.compile("(\\d{1,9})(?: x |, )(.*)");

  private ArrowTypeText() {}

  static Type parse(String text) {
    Type simple = SIMPLE.get(text.strip());
    if (simple != null) {
      return simple;
    }
    Matcher matcher = PARAMETERS.matcher(text.strip());
    if (!matcher.matches()) {
      throw unknown(text);
    }
    String inner = matcher.group(2).strip();
    return switch (matcher.group(1)) {
      case "Timestamp" -> timestamp(inner);
      case "Time32", "Time64" -> Type.time(unit(inner));
      case "Duration" -> Type.duration(unit(inner));
      case "Decimal128", "Decimal256" -> decimal(matcher.group(1), inner);
      case "FixedSizeBinary" -> Type.fixedBinary(number(inner));
      case "List" -> Type.list(item(inner));
      case "LargeList" -> Type.list(Kind.LARGE_LIST, 0, item(inner));
      case "FixedSizeList" -> fixedList(inner);
      case "Dictionary" -> parse(inner.substring(inner.indexOf(',') + 1));
      default -> throw unknown(text);
    };
  }

  private static Type item(String inner) {
    return parse(inner.startsWith("nullable ") ? inner.substring(9) : inner);
  }

  private static Type fixedList(String inner) {
    Matcher matcher = SIZED.matcher(inner);
    if (!matcher.matches()) {
      throw unknown(inner);
    }
    return Type.list(Kind.FIXED_LIST, number(matcher.group(1)), item(matcher.group(2)));
  }

  private static Type timestamp(String inner) {
    Matcher matcher = TIMESTAMP.matcher(inner);
    if (matcher.matches()) {
      String zone = matcher.group(2) != null ? matcher.group(2) : matcher.group(3);
      return Type.timestamp(unit(matcher.group(1)), zone);
    }
    return Type.timestamp(unit(inner), null);
  }

  private static Type decimal(String name, String inner) {
    Matcher matcher = DECIMAL.matcher(inner);
    if (!matcher.matches()) {
      throw unknown(name + "(" + inner + ")");
    }
    int precision = number(matcher.group(1));
    int scale = number(matcher.group(2));
    return name.equals("Decimal256")
        ? Type.decimal256(precision, scale)
        : Type.decimal(precision, scale);
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new InvalidInputException("Not a number in the name of an Arrow type: " + text, e);
    }
  }

  private static TimeUnit unit(String text) {
    return switch (text) {
      case "Second", "s" -> TimeUnit.SECOND;
      case "Millisecond", "ms" -> TimeUnit.MILLISECOND;
      case "Microsecond", "us", "µs" -> TimeUnit.MICROSECOND;
      case "Nanosecond", "ns" -> TimeUnit.NANOSECOND;
      default -> throw unknown(text);
    };
  }

  private static InvalidInputException unknown(String text) {
    return new InvalidInputException(
        "Unknown Arrow type '"
            + text
            + "'; write it as in Int64, Utf8 or Timestamp(Millisecond, None)");
  }
}
