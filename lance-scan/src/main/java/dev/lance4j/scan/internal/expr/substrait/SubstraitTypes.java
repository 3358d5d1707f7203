package dev.lance4j.scan.internal.expr.substrait;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.Expression;
import io.substrait.proto.Type;
import java.util.List;
import java.util.Optional;

/** The types of literals and casts. */
final class SubstraitTypes {
  private static final String UTC = "Some(\"UTC\")";
  private static final String NO_ZONE = "None";

  private SubstraitTypes() {}

  /**
   * A type.
   *
   * @param arrow its name in Arrow
   * @param sql its name in casts, if it has one
   */
  record Named(String arrow, Optional<String> sql) {
    /** Converts; what does not fit is an error. */
    Expression cast(Expression operand) {
      return new Expression.Call("arrow_cast", List.of(operand, new Expression.Literal(arrow)));
    }
  }

  static final Named BOOLEAN = named("Boolean", "boolean");
  static final Named INT8 = named("Int8", "tinyint");
  static final Named INT16 = named("Int16", "smallint");
  static final Named INT32 = named("Int32", "int");
  static final Named INT64 = named("Int64", "bigint");
  static final Named FLOAT32 = named("Float32", "float");
  static final Named FLOAT64 = named("Float64", "double");
  static final Named STRING = named("Utf8", "string");
  static final Named BINARY = named("Binary", "binary");
  static final Named DATE = named("Date32", "date");
  static final Named TIME = new Named("Time64(Microsecond)", Optional.empty());

  private static Named named(String arrow, String sql) {
    return new Named(arrow, Optional.of(sql));
  }

  /**
   * @throws InvalidInputException if the precision is not to be had
   */
  static Named decimal(int precision, int scale) {
    String parameters = "(" + precision + "," + scale + ")";
    return named("Decimal128" + parameters, "decimal" + parameters);
  }

  /**
   * @param digits after the second
   * @throws InvalidInputException if there is no such unit
   */
  static Named timestamp(int digits, boolean utc) {
    String unit =
        switch (digits) {
          case 0 -> "Second";
          case 3 -> "Millisecond";
          case 6 -> "Microsecond";
          case 9 -> "Nanosecond";
          default ->
              throw new InvalidInputException(
                  "Timestamps of a Substrait filter have 0, 3, 6 or 9 digits after the second, not "
                      + digits);
        };
    return new Named(
        "Timestamp(" + unit + ", " + (utc ? UTC : NO_ZONE) + ")",
        utc ? Optional.empty() : Optional.of("timestamp(" + digits + ")"));
  }

  /**
   * @throws InvalidInputException if filters do not know the type
   */
  @SuppressWarnings("deprecation") // older producers write what newer ones replaced
  static Named of(Type type) {
    return switch (type.getKindCase()) {
      case BOOL -> BOOLEAN;
      case I8 -> INT8;
      case I16 -> INT16;
      case I32 -> INT32;
      case I64 -> INT64;
      case FP32 -> FLOAT32;
      case FP64 -> FLOAT64;
      case STRING, VARCHAR, FIXED_CHAR -> STRING;
      case BINARY -> BINARY;
      case FIXED_BINARY ->
          new Named("FixedSizeBinary(" + type.getFixedBinary().getLength() + ")", Optional.empty());
      case DATE -> DATE;
      case TIME -> TIME;
      case DECIMAL -> decimal(type.getDecimal().getPrecision(), type.getDecimal().getScale());
      case TIMESTAMP -> timestamp(6, false);
      case TIMESTAMP_TZ -> timestamp(6, true);
      case PRECISION_TIMESTAMP -> timestamp(type.getPrecisionTimestamp().getPrecision(), false);
      case PRECISION_TIMESTAMP_TZ -> timestamp(type.getPrecisionTimestampTz().getPrecision(), true);
      default ->
          throw new InvalidInputException(
              "A Substrait filter cannot cast to a type of the kind " + type.getKindCase());
    };
  }
}
