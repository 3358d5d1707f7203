package dev.lance4j.scan.internal.expr.substrait;

import com.google.protobuf.ByteString;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.Expression;
import io.substrait.proto.Expression.Literal;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Turns literals into constants of their own types, which columns beside them do not change. */
final class SubstraitLiterals {
  private static final int DECIMAL_BYTES = 16;

  private SubstraitLiterals() {}

  /**
   * @throws InvalidInputException if filters do not know the type
   */
  @SuppressWarnings("deprecation") // older producers write what newer ones replaced
  static Expression literal(Literal literal) {
    return switch (literal.getLiteralTypeCase()) {
      case BOOLEAN -> new Expression.Literal(literal.getBoolean());
      case I8 -> number(literal.getI8(), SubstraitTypes.INT8);
      case I16 -> number(literal.getI16(), SubstraitTypes.INT16);
      case I32 -> number(literal.getI32(), SubstraitTypes.INT32);
      case I64 -> number(literal.getI64(), SubstraitTypes.INT64);
      case FP32 -> SubstraitTypes.FLOAT32.cast(new Expression.Literal((double) literal.getFp32()));
      case FP64 -> SubstraitTypes.FLOAT64.cast(new Expression.Literal(literal.getFp64()));
      case STRING -> text(literal.getString());
      case FIXED_CHAR -> text(literal.getFixedChar());
      case VAR_CHAR -> text(literal.getVarChar().getValue());
      case BINARY -> bytes(literal.getBinary());
      case FIXED_BINARY -> bytes(literal.getFixedBinary());
      case DATE -> SubstraitTypes.DATE.cast(number(literal.getDate(), SubstraitTypes.INT32));
      case TIME -> number(literal.getTime(), SubstraitTypes.TIME);
      case DECIMAL -> decimal(literal.getDecimal());
      case NULL -> SubstraitTypes.of(literal.getNull()).cast(new Expression.Literal(null));
      default -> timestamp(literal);
    };
  }

  @SuppressWarnings("deprecation") // as above
  private static Expression timestamp(Literal literal) {
    return switch (literal.getLiteralTypeCase()) {
      case TIMESTAMP -> number(literal.getTimestamp(), SubstraitTypes.timestamp(6, false));
      case TIMESTAMP_TZ -> number(literal.getTimestampTz(), SubstraitTypes.timestamp(6, true));
      case PRECISION_TIMESTAMP -> timestamp(literal.getPrecisionTimestamp(), false);
      case PRECISION_TIMESTAMP_TZ -> timestamp(literal.getPrecisionTimestampTz(), true);
      default ->
          throw new InvalidInputException(
              "A Substrait filter cannot use a literal of the kind "
                  + literal.getLiteralTypeCase());
    };
  }

  private static Expression timestamp(Literal.PrecisionTimestamp timestamp, boolean utc) {
    return number(timestamp.getValue(), SubstraitTypes.timestamp(timestamp.getPrecision(), utc));
  }

  private static Expression number(long value, SubstraitTypes.Named type) {
    return type.cast(new Expression.Literal(value));
  }

  private static Expression text(String value) {
    return SubstraitTypes.STRING.cast(new Expression.Literal(value));
  }

  private static Expression bytes(ByteString value) {
    return SubstraitTypes.BINARY.cast(new Expression.Literal(value.asReadOnlyByteBuffer()));
  }

  /** Sixteen bytes of a whole number in two's complement, the lowest first, and its scale. */
  private static Expression decimal(Literal.Decimal decimal) {
    if (decimal.getValue().size() != DECIMAL_BYTES) {
      throw new InvalidInputException(
          "A decimal of a Substrait filter has 16 bytes, but this one "
              + decimal.getValue().size());
    }
    byte[] bigEndian = new byte[DECIMAL_BYTES];
    for (int i = 0; i < DECIMAL_BYTES; i++) {
      bigEndian[i] = decimal.getValue().byteAt(DECIMAL_BYTES - 1 - i);
    }
    BigDecimal value = new BigDecimal(new BigInteger(bigEndian), decimal.getScale());
    return SubstraitTypes.decimal(decimal.getPrecision(), decimal.getScale())
        .cast(new Expression.Literal(value.toPlainString()));
  }
}
