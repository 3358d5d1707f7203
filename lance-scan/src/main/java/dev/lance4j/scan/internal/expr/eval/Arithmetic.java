package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.BinaryOperator;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.Bits;
import dev.lance4j.scan.internal.expr.values.DecimalValues;
import dev.lance4j.scan.internal.expr.values.DoubleValues;
import dev.lance4j.scan.internal.expr.values.LongValues;
import dev.lance4j.scan.internal.expr.values.Values;
import java.math.BigInteger;
import java.util.List;

/**
 * {@code + - * / %} and the bitwise operators on numbers. Integers wrap around; an integer or
 * decimal divided by zero is an error; floating-point numbers follow IEEE 754.
 */
public final class Arithmetic extends Node {
  /** What an invalid floating-point operation gives. */
  public static final double NEGATIVE_NAN = Double.longBitsToDouble(0xfff8_0000_0000_0000L);

  private final BinaryOperator operator;
  private final Node left;
  private final Node right;

  public Arithmetic(BinaryOperator operator, Node left, Node right, Type result) {
    super(result, List.of(left, right));
    this.operator = operator;
    this.left = left;
    this.right = right;
  }

  @Override
  public boolean isCostly() {
    boolean divides = operator == BinaryOperator.DIVIDE || operator == BinaryOperator.MODULO;
    return type().kind().isDecimal() || (divides && !type().kind().isFloat()) || super.isCostly();
  }

  @Override
  public boolean isNullable() {
    return anyChildIsNullable();
  }

  @Override
  public Values evaluate(Batch batch) {
    Values l = left.evaluate(batch);
    Values r = right.evaluate(batch);
    long[] valid = Bits.and(l.valid(), r.valid());
    if (l instanceof LongValues longs) {
      return integers(longs.values(), ((LongValues) r).values(), valid);
    } else if (l instanceof DoubleValues doubles) {
      return new DoubleValues(floats(doubles.values(), ((DoubleValues) r).values()), valid);
    }
    return decimals((DecimalValues) l, (DecimalValues) r, valid);
  }

  private Values integers(long[] l, long[] r, long[] valid) {
    long[] result = new long[l.length];
    switch (operator) {
      case ADD -> {
        for (int i = 0; i < result.length; i++) {
          result[i] = l[i] + r[i];
        }
      }
      case SUBTRACT -> {
        for (int i = 0; i < result.length; i++) {
          result[i] = l[i] - r[i];
        }
      }
      case MULTIPLY -> {
        for (int i = 0; i < result.length; i++) {
          result[i] = l[i] * r[i];
        }
      }
      case BIT_AND -> {
        for (int i = 0; i < result.length; i++) {
          result[i] = l[i] & r[i];
        }
      }
      case BIT_OR -> {
        for (int i = 0; i < result.length; i++) {
          result[i] = l[i] | r[i];
        }
      }
      case BIT_XOR -> {
        for (int i = 0; i < result.length; i++) {
          result[i] = l[i] ^ r[i];
        }
      }
      default -> divide(l, r, valid, result);
    }
    wrap(result, type().kind());
    return new LongValues(result, valid, type().is(Kind.UINT64));
  }

  private void divide(long[] l, long[] r, long[] valid, long[] result) {
    boolean unsigned = type().is(Kind.UINT64);
    boolean quotient = operator == BinaryOperator.DIVIDE;
    for (int i = 0; i < result.length; i++) {
      if (valid != null && !Bits.get(valid, i)) {
        continue;
      }
      if (r[i] == 0) {
        throw new InvalidInputException("Divide by zero: " + l[i] + " " + operator.symbol() + " 0");
      }
      if (unsigned) {
        result[i] = quotient ? Long.divideUnsigned(l[i], r[i]) : Long.remainderUnsigned(l[i], r[i]);
      } else {
        if (quotient && r[i] == -1 && l[i] == minimum(type().kind())) {
          throw new InvalidInputException("Arithmetic overflow: " + l[i] + " / -1");
        }
        result[i] = quotient ? l[i] / r[i] : l[i] % r[i];
      }
    }
  }

  static long minimum(Kind kind) {
    return kind.isSigned() ? -1L << (kind.bits() - 1) : 1;
  }

  /** Keeps the low bits, as the type's own arithmetic does. */
  static void wrap(long[] values, Kind kind) {
    if (kind == Kind.INT64 || kind == Kind.UINT64) {
      return;
    }
    int unused = Long.SIZE - kind.bits();
    if (kind.isSigned()) {
      for (int i = 0; i < values.length; i++) {
        values[i] = values[i] << unused >> unused;
      }
    } else {
      for (int i = 0; i < values.length; i++) {
        values[i] = values[i] << unused >>> unused;
      }
    }
  }

  private double[] floats(double[] l, double[] r) {
    double[] result = new double[l.length];
    switch (operator) {
      case ADD -> {
        for (int i = 0; i < result.length; i++) {
          result[i] = l[i] + r[i];
        }
      }
      case SUBTRACT -> {
        for (int i = 0; i < result.length; i++) {
          result[i] = l[i] - r[i];
        }
      }
      case MULTIPLY -> {
        for (int i = 0; i < result.length; i++) {
          result[i] = l[i] * r[i];
        }
      }
      case DIVIDE -> {
        for (int i = 0; i < result.length; i++) {
          result[i] = l[i] / r[i];
        }
      }
      default -> {
        for (int i = 0; i < result.length; i++) {
          result[i] = l[i] % r[i];
        }
      }
    }
    settleNaN(l, r, result);
    // A double has more than twice the digits of a float: rounding twice gives the same number.
    if (!type().is(Kind.FLOAT64)) {
      for (int i = 0; i < result.length; i++) {
        result[i] = Casts.round(result[i], type().kind());
      }
    }
    return result;
  }

  /**
   * Java leaves the bits of a computed NaN open, but they decide its order: a NaN operand stays as
   * it is, and a new NaN is negative, as processors and the real library have it.
   */
  private static void settleNaN(double[] l, double[] r, double[] result) {
    for (int i = 0; i < result.length; i++) {
      if (Double.isNaN(result[i])) {
        result[i] = Double.isNaN(l[i]) ? l[i] : Double.isNaN(r[i]) ? r[i] : NEGATIVE_NAN;
      }
    }
  }

  private Values decimals(DecimalValues l, DecimalValues r, long[] valid) {
    BigInteger[] result = new BigInteger[l.size()];
    BigInteger leftFactor = factor(left.type(), true);
    BigInteger rightFactor = factor(right.type(), false);
    int bits = type().is(Kind.DECIMAL128) ? 127 : 255;
    for (int i = 0; i < result.length; i++) {
      if (valid != null && !Bits.get(valid, i)) {
        result[i] = BigInteger.ZERO;
        continue;
      }
      BigInteger x = l.get(i).multiply(leftFactor);
      BigInteger y = r.get(i).multiply(rightFactor);
      result[i] = compute(x, y);
      if (result[i].bitLength() > bits) {
        throw new InvalidInputException(
            "Arithmetic overflow: " + l.get(i) + " " + operator.symbol() + " " + r.get(i));
      }
    }
    return new DecimalValues(result, valid);
  }

  /** What an operand is multiplied with, so that the result has its scale. */
  private BigInteger factor(Type operand, boolean isLeft) {
    int digits =
        switch (operator) {
          case MULTIPLY -> 0;
          case DIVIDE -> isLeft ? type().scale() - operand.scale() + right.type().scale() : 0;
          default -> type().scale() - operand.scale();
        };
    return BigInteger.TEN.pow(digits);
  }

  private BigInteger compute(BigInteger x, BigInteger y) {
    return switch (operator) {
      case ADD -> x.add(y);
      case SUBTRACT -> x.subtract(y);
      case MULTIPLY -> x.multiply(y);
      default -> {
        if (y.signum() == 0) {
          throw new InvalidInputException("Divide by zero: " + x + " " + operator.symbol() + " 0");
        }
        yield operator == BinaryOperator.DIVIDE ? x.divide(y) : x.remainder(y);
      }
    };
  }
}
