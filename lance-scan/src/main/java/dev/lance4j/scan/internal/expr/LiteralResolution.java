package dev.lance4j.scan.internal.expr;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.eval.Casts;
import dev.lance4j.scan.internal.expr.eval.Constant;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.BytesValues;
import dev.lance4j.scan.internal.expr.values.DecimalValues;
import dev.lance4j.scan.internal.expr.values.LongValues;
import java.math.BigInteger;

/**
 * Gives a literal that stands directly beside a column the column's type. Stricter than a cast: a
 * literal that the column cannot hold is an error, so that {@code i8 < 1000} is not silently true.
 */
final class LiteralResolution {
  private LiteralResolution() {}

  /**
   * @param column the column's text, for errors
   */
  static Constant resolve(Constant literal, Type type, String column) {
    if (literal.isNull()) {
      return Constant.nullOf(type.decoded());
    }
    if (!allowed(literal, type)) {
      throw new InvalidInputException(
          "A literal of type "
              + literal.type()
              + " cannot be compared with column "
              + column
              + " of type "
              + type
              + "; write a literal of that type, or convert explicitly with cast");
    }
    return new Constant(type, Casts.cast(literal.value(), literal.type(), type, false));
  }

  private static boolean allowed(Constant literal, Type type) {
    Kind target = type.kind();
    return switch (literal.type().kind()) {
      case INT64 -> integerFits(((LongValues) literal.value()).get(0), type);
      case FLOAT64 -> target == Kind.FLOAT32 || target == Kind.FLOAT64;
      case UTF8 -> target.isString();
      case BOOLEAN -> target == Kind.BOOLEAN;
      case BINARY ->
          target == Kind.BINARY
              || target == Kind.LARGE_BINARY
              || (target == Kind.FIXED_BINARY
                  && ((BytesValues) literal.value()).length(0) == type.width());
      case LIST -> target.isList() && Casts.allowed(literal.type(), type);
      default -> false;
    };
  }

  private static boolean integerFits(long value, Type type) {
    Kind kind = type.kind();
    if (kind.isInteger()) {
      return Casts.fits(BigInteger.valueOf(value), kind);
    } else if (kind.isDecimal()) {
      return decimalFits(value, type);
    }
    return kind == Kind.FLOAT32 || kind == Kind.FLOAT64;
  }

  private static boolean decimalFits(long value, Type type) {
    int digits = type.width() - type.scale();
    return BigInteger.valueOf(value).abs().compareTo(BigInteger.TEN.pow(Math.max(0, digits))) < 0;
  }

  /** The value as a constant of another type if it is exactly the same there; else null. */
  static Constant lossless(Constant constant, Type type) {
    Kind from = constant.type().kind();
    Kind to = type.kind();
    if (!comparable(from) || !comparable(to)) {
      return null;
    }
    try {
      Constant converted =
          new Constant(type, Casts.cast(constant.value(), constant.type(), type, false));
      return isExact(constant, converted) ? converted : null;
    } catch (InvalidInputException e) {
      return null;
    }
  }

  private static boolean comparable(Kind kind) {
    return kind.isInteger() || kind == Kind.DECIMAL128 || kind == Kind.TIMESTAMP;
  }

  private static boolean isExact(Constant before, Constant after) {
    boolean decimals = before.type().kind().isDecimal() || after.type().kind().isDecimal();
    return !decimals || decimal(before).compareTo(decimal(after)) == 0;
  }

  private static java.math.BigDecimal decimal(Constant constant) {
    if (constant.value() instanceof DecimalValues decimals) {
      return new java.math.BigDecimal(decimals.get(0), constant.type().scale());
    }
    long value = ((LongValues) constant.value()).get(0);
    return constant.type().is(Kind.UINT64)
        ? new java.math.BigDecimal(Long.toUnsignedString(value))
        : java.math.BigDecimal.valueOf(value);
  }

  /** Like {@link #lossless} for timestamps, whose finer digits are cut off and whose zone stays. */
  static Constant timestamp(Constant constant, Type type) {
    if (!constant.type().is(Kind.TIMESTAMP) || !type.is(Kind.TIMESTAMP)) {
      return null;
    }
    Type from = Type.timestamp(constant.type().unit(), null);
    Type to = Type.timestamp(type.unit(), null);
    try {
      return new Constant(type, Casts.cast(constant.value(), from, to, false));
    } catch (InvalidInputException e) {
      return null;
    }
  }
}
