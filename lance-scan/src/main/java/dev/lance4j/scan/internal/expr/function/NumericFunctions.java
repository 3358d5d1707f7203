package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.eval.Arithmetic;
import dev.lance4j.scan.internal.expr.eval.Casts;
import dev.lance4j.scan.internal.expr.eval.Constant;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.eval.Nodes;
import dev.lance4j.scan.internal.expr.type.Coercion;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.Rows;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/** Functions on numbers. */
final class NumericFunctions {
  private static final int MAX_FACTORIAL = 20;

  private NumericFunctions() {}

  static void register(Map<String, FunctionBinder> functions) {
    registerCurves(functions);
    functions.put("abs", NumericFunctions::abs);
    functions.put("round", NumericFunctions::round);
    functions.put("trunc", NumericFunctions::trunc);
    functions.put("ceil", a -> whole(a, Math::ceil, RoundingMode.CEILING));
    functions.put("floor", a -> whole(a, Math::floor, RoundingMode.FLOOR));
    functions.put("isnan", a -> test(a, true));
    functions.put("iszero", a -> test(a, false));
    functions.put("nanvl", NumericFunctions::nanvl);
    functions.put("power", NumericFunctions::power);
    functions.put("pow", NumericFunctions::power);
    functions.put("atan2", NumericFunctions::atan2);
    functions.put("log", NumericFunctions::log);
    functions.put("gcd", a -> divisors(a, true));
    functions.put("lcm", a -> divisors(a, false));
    functions.put("factorial", NumericFunctions::factorial);
    functions.put("greatest", a -> extreme(a, 1));
    functions.put("least", a -> extreme(a, -1));
    functions.put(
        "pi",
        a -> {
          a.require(0);
          return Constant.of(Math.PI);
        });
    functions.put("random", RandomNode::bind);
  }

  private static void registerCurves(Map<String, FunctionBinder> functions) {
    curve(functions, "signum", x -> x == 0 ? 0 : Math.signum(x));
    curve(functions, "sqrt", Math::sqrt);
    curve(functions, "cbrt", Math::cbrt);
    curve(functions, "exp", Math::exp);
    curve(functions, "ln", Math::log);
    curve(functions, "log2", NumericFunctions::log2);
    curve(functions, "log10", Math::log10);
    curve(functions, "sin", Math::sin);
    curve(functions, "cos", Math::cos);
    curve(functions, "tan", Math::tan);
    curve(functions, "cot", x -> 1 / Math.tan(x));
    curve(functions, "asin", Math::asin);
    curve(functions, "acos", Math::acos);
    curve(functions, "atan", Math::atan);
    curve(functions, "sinh", Math::sinh);
    curve(functions, "cosh", Math::cosh);
    curve(functions, "tanh", Math::tanh);
    curve(functions, "asinh", NumericFunctions::inverseSinh);
    curve(functions, "acosh", x -> x < 1 ? Double.NaN : Math.log(x + Math.sqrt(x * x - 1)));
    curve(functions, "atanh", x -> (Math.log1p(x) - Math.log1p(-x)) / 2);
    curve(functions, "degrees", Math::toDegrees);
    curve(functions, "radians", Math::toRadians);
  }

  /** Exact for powers of two, which the quotient of logarithms is not. */
  private static double log2(double x) {
    int exponent = Math.getExponent(x);
    boolean power =
        Double.isFinite(x)
            && x > 0
            && exponent >= Double.MIN_EXPONENT
            && x == Math.scalb(1.0, exponent);
    return power ? exponent : Math.log(x) / Math.log(2);
  }

  private static double inverseSinh(double x) {
    double size = Math.abs(x);
    return Math.copySign(Math.log(size + Math.sqrt(size * size + 1)), x);
  }

  private static void curve(
      Map<String, FunctionBinder> functions, String name, DoubleUnaryOperator curve) {
    functions.put(
        name,
        a -> {
          a.require(1);
          return curve(a, curve);
        });
  }

  private static Node curve(Arguments a, DoubleUnaryOperator curve) {
    Type type = floating(a, 0);
    boolean single = type.is(Kind.FLOAT32);
    return RowFunction.strict(
        type,
        List.of(a.cast(0, type)),
        (row, out) -> {
          double value = settled(curve.applyAsDouble(row.number(0)), row.number(0), 0);
          out.append(single ? (float) value : value);
        });
  }

  /** A NaN has the bits of a NaN argument, or those of an invalid operation. */
  private static double settled(double value, double first, double second) {
    if (!Double.isNaN(value)) {
      return value;
    }
    return Double.isNaN(first) ? first : Double.isNaN(second) ? second : Arithmetic.NEGATIVE_NAN;
  }

  /** Single precision stays; every other number is computed with double precision. */
  private static Type floating(Arguments a, int index) {
    a.requireNumeric(index);
    return a.type(index).is(Kind.FLOAT32) ? Type.FLOAT32 : Type.FLOAT64;
  }

  private static Node abs(Arguments a) {
    a.require(1);
    a.requireNumeric(0);
    Type type = a.type(0);
    Kind kind = type.kind();
    if (kind.isFloat()) {
      return RowFunction.strict(type, a.all(), (row, out) -> out.append(Math.abs(row.number(0))));
    } else if (kind.isDecimal()) {
      return RowFunction.strict(type, a.all(), (row, out) -> out.append(row.decimal(0).abs()));
    } else if (!kind.isSigned()) {
      return a.get(0);
    }
    long least = -1L << (kind.bits() - 1);
    return RowFunction.strict(
        type,
        a.all(),
        (row, out) -> {
          if (row.integer(0) == least) {
            throw new InvalidInputException("Arithmetic overflow: abs(" + least + ")");
          }
          out.append(Math.abs(row.integer(0)));
        });
  }

  private static Node round(Arguments a) {
    a.require(1, 2);
    a.requireNumeric(0);
    Node digits = a.count() == 2 ? a.integer(1) : Constant.of(0L);
    Type type = a.type(0);
    if (type.kind().isDecimal()) {
      return roundDecimal(a, digits);
    }
    Type result = floating(a, 0);
    boolean single = result.is(Kind.FLOAT32);
    return RowFunction.strict(
        result,
        List.of(a.cast(0, result), digits),
        (row, out) -> out.append(round(row.number(0), row.integer(1), single)));
  }

  /** Scales, rounds half away from zero and scales back, in the precision of the type. */
  private static double round(double value, long digits, boolean single) {
    double factor = Math.pow(10, (double) digits);
    if (single) {
      float scaled = (float) value * (float) factor;
      return Double.isInfinite(scaled) ? value : (float) halfAway(scaled) / (float) factor;
    }
    double scaled = value * factor;
    return Double.isInfinite(scaled) ? value : halfAway(scaled) / factor;
  }

  private static double halfAway(double value) {
    double size = Math.abs(value);
    double floor = Math.floor(size);
    return Math.copySign(size - floor >= 0.5 ? floor + 1 : floor, value);
  }

  private static Node roundDecimal(Arguments a, Node digits) {
    Type type = a.type(0);
    boolean constant = digits instanceof Constant;
    long places =
        constant
            ? ((dev.lance4j.scan.internal.expr.values.LongValues) ((Constant) digits).value())
                .get(0)
            : type.scale();
    int scale = (int) Math.max(0, Math.min(type.scale(), places));
    Type result = withScale(type, scale);
    return RowFunction.strict(
        result,
        List.of(a.get(0), digits),
        (row, out) -> {
          BigDecimal value = new BigDecimal(row.decimal(0), type.scale());
          int target = (int) Math.max(-100, Math.min(type.scale(), row.integer(1)));
          out.append(
              value
                  .setScale(target, RoundingMode.HALF_UP)
                  .setScale(scale, RoundingMode.HALF_UP)
                  .unscaledValue());
        });
  }

  private static Type withScale(Type type, int scale) {
    int precision = Math.max(1, type.width());
    return type.is(Kind.DECIMAL256)
        ? Type.decimal256(precision, scale)
        : Type.decimal(precision, scale);
  }

  private static Node trunc(Arguments a) {
    a.require(1, 2);
    Type result = floating(a, 0);
    Node digits = a.count() == 2 ? a.integer(1) : Constant.of(0L);
    boolean single = result.is(Kind.FLOAT32);
    return RowFunction.strict(
        result,
        List.of(a.cast(0, result), digits),
        (row, out) -> {
          double factor = Math.pow(10, (double) row.integer(1));
          double scaled = row.number(0) * factor;
          double value =
              scaled == 0
                  ? 0
                  : Double.isInfinite(scaled)
                      ? row.number(0)
                      : Math.copySign(Math.floor(Math.abs(scaled)), scaled) / factor;
          out.append(single ? (float) value : value);
        });
  }

  private static Node whole(Arguments a, DoubleUnaryOperator rounding, RoundingMode mode) {
    a.require(1);
    Type type = a.type(0);
    if (type.kind().isDecimal()) {
      return RowFunction.strict(
          withScale(type, 0),
          a.all(),
          (row, out) ->
              out.append(
                  new BigDecimal(row.decimal(0), type.scale()).setScale(0, mode).unscaledValue()));
    }
    return curve(a, rounding);
  }

  private static Node test(Arguments a, boolean nan) {
    a.require(1);
    return RowFunction.strict(
        Type.BOOLEAN,
        List.of(a.number(0)),
        (row, out) -> out.append(nan ? Double.isNaN(row.number(0)) : row.number(0) == 0));
  }

  private static Node nanvl(Arguments a) {
    a.require(2);
    a.requireNumeric(0);
    a.requireNumeric(1);
    Type common = Coercion.union(List.of(a.type(0), a.type(1)));
    Type type = common.is(Kind.FLOAT32) ? common : Type.FLOAT64;
    return RowFunction.nullAware(
        type,
        List.of(a.cast(0, type), a.cast(1, type)),
        (row, out) -> {
          boolean nan = !row.isNull(0) && Double.isNaN(row.number(0));
          out.append(row.values(nan ? 1 : 0), row.position());
        });
  }

  private static Node power(Arguments a) {
    a.require(2);
    Type type = a.type(0);
    if (type.kind().isDecimal() && a.type(1).kind().isInteger()) {
      return decimalPower(a, type);
    }
    return RowFunction.strict(
        Type.FLOAT64,
        List.of(a.number(0), a.number(1)),
        (row, out) ->
            out.append(
                settled(Math.pow(row.number(0), row.number(1)), row.number(0), row.number(1))));
  }

  private static Node decimalPower(Arguments a, Type type) {
    BigInteger limit =
        BigInteger.TEN.pow(
            type.is(Kind.DECIMAL256) ? Type.MAX_PRECISION_256 : Type.MAX_PRECISION_128);
    return RowFunction.strict(
        type,
        List.of(a.get(0), a.integer(1)),
        (row, out) -> {
          double exponent = row.integer(1);
          BigDecimal value = new BigDecimal(row.decimal(0), type.scale());
          double result = Math.pow(value.doubleValue(), exponent);
          BigInteger unscaled =
              Double.isFinite(result)
                  ? new BigDecimal(result)
                      .setScale(type.scale(), RoundingMode.HALF_UP)
                      .unscaledValue()
                  : limit;
          if (unscaled.abs().compareTo(limit) >= 0) {
            throw new InvalidInputException(
                "Arithmetic overflow: power(" + value + ", " + row.integer(1) + ")");
          }
          out.append(unscaled);
        });
  }

  private static Node atan2(Arguments a) {
    a.require(2);
    return RowFunction.strict(
        Type.FLOAT64,
        List.of(a.number(0), a.number(1)),
        (row, out) -> out.append(Math.atan2(row.number(0), row.number(1))));
  }

  /** {@code log(x)} to the base 10, or {@code log(base, x)}. */
  private static Node log(Arguments a) {
    a.require(1, 2);
    if (a.count() == 1) {
      return curve(a, Math::log10);
    }
    return RowFunction.strict(
        Type.FLOAT64,
        List.of(a.number(0), a.number(1)),
        (row, out) ->
            out.append(
                settled(logarithm(row.number(0), row.number(1)), row.number(0), row.number(1))));
  }

  private static double logarithm(double base, double x) {
    if (base == 2) {
      return log2(x);
    }
    return base == 10 ? Math.log10(x) : Math.log(x) / Math.log(base);
  }

  private static Node divisors(Arguments a, boolean greatest) {
    a.require(2);
    for (int i = 0; i < 2; i++) {
      if (a.type(i).is(Kind.UINT64)) {
        throw a.wrongType(i, "a signed integer");
      }
    }
    return RowFunction.strict(
        Type.INT64,
        List.of(a.integer(0), a.integer(1)),
        (row, out) -> {
          BigInteger x = BigInteger.valueOf(row.integer(0));
          BigInteger y = BigInteger.valueOf(row.integer(1));
          BigInteger divisor = x.gcd(y);
          BigInteger result =
              greatest || divisor.signum() == 0 ? divisor : x.divide(divisor).multiply(y).abs();
          if (!Casts.fits(result, Kind.INT64)) {
            throw new InvalidInputException(
                "Arithmetic overflow: " + a.function() + "(" + x + ", " + y + ")");
          }
          out.append(result.longValue());
        });
  }

  private static Node factorial(Arguments a) {
    a.require(1);
    if (a.type(0).is(Kind.UINT64)) {
      throw a.wrongType(0, "a signed integer");
    }
    return RowFunction.strict(
        Type.INT64,
        List.of(a.integer(0)),
        (row, out) -> {
          long n = row.integer(0);
          if (n < 0 || n > MAX_FACTORIAL) {
            throw new InvalidInputException("factorial takes 0 to 20, but got " + n);
          }
          long product = 1;
          for (long i = 2; i <= n; i++) {
            product *= i;
          }
          out.append(product);
        });
  }

  /** Ignores nulls. */
  private static Node extreme(Arguments a, int wanted) {
    a.require(1, Integer.MAX_VALUE);
    List<Node> nodes = extremes(a);
    return RowFunction.nullAware(
        nodes.get(0).type().decoded(), nodes, (row, out) -> appendExtreme(row, wanted, out));
  }

  /** A text beside numbers is read as number. */
  private static List<Node> extremes(Arguments a) {
    List<Type> types = new ArrayList<>();
    for (int i = 0; i < a.count(); i++) {
      if (!a.type(i).kind().isString()) {
        types.add(a.type(i));
      }
    }
    Type common = types.isEmpty() ? null : Coercion.union(types);
    if (common == null || !common.kind().isNumeric()) {
      return a.common(0);
    }
    return a.all().stream().map(node -> Nodes.cast(node, common, false)).toList();
  }

  private static void appendExtreme(Row row, int wanted, ValuesBuilder out) {
    int best = -1;
    for (int i = 0; i < row.count(); i++) {
      if (row.isNull(i)) {
        continue;
      }
      if (best < 0
          || Rows.compareNullable(row.values(i), row.position(), row.values(best), row.position())
                  * wanted
              > 0) {
        best = i;
      }
    }
    if (best < 0) {
      out.appendNull();
    } else {
      out.append(row.values(best), row.position());
    }
  }
}
