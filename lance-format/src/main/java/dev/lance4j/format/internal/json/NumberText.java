package dev.lance4j.format.internal.json;

import java.math.BigDecimal;

/** Numbers as text. */
public final class NumberText {
  private NumberText() {}

  /** The shortest text that reads back as the number: {@code 1.0}, {@code 1e16}, {@code NaN}. */
  public static String of(double value) {
    return special(value) ? specialText(value) : shortest(shortestDigits(value), 16, -5);
  }

  /** Like {@link #of(double)} for a single-precision number. */
  public static String of(float value) {
    return special(value) ? specialText(value) : shortest(shortestDigits(value), 13, -6);
  }

  /** A half-precision number; whole ones have no fraction. */
  public static String half(float value) {
    String text = of(value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  private static boolean special(double value) {
    return value == 0 || !Double.isFinite(value);
  }

  private static String specialText(double value) {
    if (value == 0) {
      return 1 / value < 0 ? "-0.0" : "0.0";
    }
    return Double.isNaN(value) ? "NaN" : value > 0 ? "inf" : "-inf";
  }

  /** Java's own text has up to two digits more than needed on older releases: tried first. */
  private static BigDecimal shortestDigits(double value) {
    BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    for (int precision = 1; precision < digits.precision(); precision++) {
      BigDecimal shorter = new BigDecimal(value).round(new java.math.MathContext(precision));
      if (shorter.doubleValue() == value) {
        return shorter.stripTrailingZeros();
      }
    }
    return digits;
  }

  private static BigDecimal shortestDigits(float value) {
    BigDecimal digits = new BigDecimal(Float.toString(value)).stripTrailingZeros();
    for (int precision = 1; precision < digits.precision(); precision++) {
      BigDecimal shorter = new BigDecimal(value).round(new java.math.MathContext(precision));
      if (shorter.floatValue() == value) {
        return shorter.stripTrailingZeros();
      }
    }
    return digits;
  }

  /**
   * @param maxPoint the digits before the point from which on an exponent is used
   * @param minPoint the (negative) zeros after the point from which on an exponent is used
   */
  private static String shortest(BigDecimal value, int maxPoint, int minPoint) {
    int point = value.precision() - value.scale();
    if (point > minPoint && point <= maxPoint) {
      String plain = value.toPlainString();
      return plain.indexOf('.') < 0 ? plain + ".0" : plain;
    }
    String digits = value.unscaledValue().abs().toString();
    String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
    return (value.signum() < 0 ? "-" : "") + digits.charAt(0) + fraction + "e" + (point - 1);
  }
}
