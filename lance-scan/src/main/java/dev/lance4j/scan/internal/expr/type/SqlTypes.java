package dev.lance4j.scan.internal.expr.type;

import dev.lance4j.format.InvalidInputException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.arrow.vector.types.TimeUnit;

/** The names of types in casts and typed literals. */
public final class SqlTypes {
  private static final Pattern NAME =
      Pattern.compile("([a-z_][a-z_ ]*?) ?(?:\\((\\d{1,4})(?:,(\\d{1,4}))?\\) ?(.*))?");

  private SqlTypes() {}

  /**
   * The type of a name in lower case.
   *
   * @param nested whether the name stands inside the arguments of a function, where more names are
   *     known and timestamps have nanoseconds unless said otherwise
   * @throws InvalidInputException if filters do not know the type
   */
  public static Type of(String name, boolean nested) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      throw unsupported(name);
    }
    String rest = matcher.group(4) == null ? "" : matcher.group(4);
    String base = matcher.group(1) + (rest.isEmpty() ? "" : " " + rest);
    int first = matcher.group(2) == null ? -1 : Integer.parseInt(matcher.group(2));
    int second = matcher.group(3) == null ? -1 : Integer.parseInt(matcher.group(3));
    Type type = nested ? nested(base, first, second) : null;
    return type != null ? type : parameterized(base, first, second);
  }

  /** What only function arguments know; null for the rest. */
  private static Type nested(String name, int first, int second) {
    return switch (name) {
      case "timestamp", "datetime" ->
          Type.timestamp(first < 0 ? TimeUnit.NANOSECOND : unit(first), null);
      case "time" -> Type.time(TimeUnit.NANOSECOND);
      case "varchar", "text", "char", "character varying", "char varying" -> Type.UTF8;
      case "real", "float4" -> Type.FLOAT32;
      case "double precision", "float8" -> Type.FLOAT64;
      case "bool" -> Type.BOOLEAN;
      case "bytea" -> Type.BINARY;
      case "int2" -> Type.INT16;
      case "int4" -> Type.INT32;
      case "int8" -> Type.INT64;
      case "decimal", "numeric" ->
          first < 0
              ? Type.decimal(Type.MAX_PRECISION_128, 10)
              : decimal(first, Math.max(0, second));
      default -> null;
    };
  }

  private static Type parameterized(String name, int first, int second) {
    return switch (name) {
      case "tinyint" -> Type.INT8;
      case "smallint" -> Type.INT16;
      case "int", "integer" -> Type.INT32;
      case "bigint" -> Type.INT64;
      case "tinyint unsigned" -> Type.UINT8;
      case "smallint unsigned" -> Type.UINT16;
      case "int unsigned", "integer unsigned" -> Type.UINT32;
      case "bigint unsigned" -> Type.UINT64;
      case "float" -> Type.FLOAT32;
      case "double" -> Type.FLOAT64;
      case "boolean" -> Type.BOOLEAN;
      case "string" -> Type.UTF8;
      case "binary" -> Type.BINARY;
      case "date" -> Type.DATE32;
      case "timestamp", "datetime" -> Type.timestamp(unit(first), null);
      case "decimal" -> decimal(first, second);
      default -> throw unsupported(first < 0 ? name : name + "(" + first + ")");
    };
  }

  private static TimeUnit unit(int digits) {
    return switch (digits) {
      case -1, 6 -> TimeUnit.MICROSECOND;
      case 0 -> TimeUnit.SECOND;
      case 3 -> TimeUnit.MILLISECOND;
      case 9 -> TimeUnit.NANOSECOND;
      default ->
          throw new InvalidInputException(
              "Timestamps have 0, 3, 6 or 9 digits after the second, not " + digits);
    };
  }

  private static Type decimal(int precision, int scale) {
    if (precision < 0 || scale < 0) {
      throw new InvalidInputException(
          "A decimal needs its precision and scale, as in decimal(10,2)");
    }
    if (precision < 1 || precision > Type.MAX_PRECISION_128 || scale > precision) {
      throw new InvalidInputException(
          "A decimal has 1 to 38 digits, of which at most all are after the point; got decimal("
              + precision
              + ","
              + scale
              + ")");
    }
    return Type.decimal(precision, scale);
  }

  private static InvalidInputException unsupported(String name) {
    return new InvalidInputException(
        "Unsupported type '"
            + name
            + "'; filters know tinyint, smallint, int, bigint (each also unsigned), float, double,"
            + " decimal(p,s), boolean, string, binary, date and timestamp(0 | 3 | 6 | 9)");
  }
}
