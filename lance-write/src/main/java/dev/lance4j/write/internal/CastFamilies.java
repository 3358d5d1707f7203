package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.Conversion;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Which types a column may be cast between. */
final class CastFamilies {
  private enum Family {
    BOOLEAN,
    INTEGER,
    FLOAT,
    DECIMAL,
    TEMPORAL,
    TEXT,
    BINARY,
    LIST,
    NONE
  }

  private CastFamilies() {}

  /**
   * Checks a cast.
   *
   * @throws InvalidInputException if the types are not of one family, or have no conversion
   */
  static void check(Field from, Field to, String path) {
    if (from.getDictionary() != null || to.getDictionary() != null || !related(from, to)) {
      throw new InvalidInputException(
          "Cannot cast column '" + path + "' from " + from.getType() + " to " + to.getType());
    }
    try {
      Conversion.between(from, to);
    } catch (InvalidInputException e) {
      throw new InvalidInputException("Column '" + path + "': " + e.getMessage(), e);
    }
  }

  private static boolean related(Field from, Field to) {
    Family family = family(from.getType());
    if (family == Family.NONE || family != family(to.getType())) {
      return false;
    }
    return family != Family.LIST || related(from.getChildren().get(0), to.getChildren().get(0));
  }

  private static Family family(ArrowType type) {
    return switch (type.getTypeID()) {
      case Bool -> Family.BOOLEAN;
      case Int -> Family.INTEGER;
      case FloatingPoint -> Family.FLOAT;
      case Decimal -> Family.DECIMAL;
      case Date, Time, Timestamp, Duration -> Family.TEMPORAL;
      case Utf8, LargeUtf8 -> Family.TEXT;
      case Binary, LargeBinary -> Family.BINARY;
      case List, LargeList, FixedSizeList -> Family.LIST;
      default -> Family.NONE;
    };
  }
}
