package dev.lance4j.scan.internal.expr.parse;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/** The values of single tokens. */
final class Text {
  private static final BigInteger MAX_UNSIGNED =
      BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

  private static final int MAX_DIGITS = 64;

  private Text() {}

  /** The content of a quoted text; the quote inside is doubled. */
  static String unquote(String text) {
    String quote = text.substring(0, 1);
    return text.substring(1, text.length() - 1).replace(quote + quote, quote);
  }

  static String identifier(String text) {
    return text.startsWith("`") ? unquote(text) : text;
  }

  /**
   * A {@code Long} if the text is one, else a {@code Double}.
   *
   * @param unsigned whether integers up to 2⁶⁴−1 stay integers
   */
  static Number number(String text, boolean unsigned) {
    if (text.length() <= MAX_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      BigInteger value = new BigInteger(text);
      if (value.bitLength() < Long.SIZE) {
        return value.longValue();
      }
      if (unsigned && value.compareTo(MAX_UNSIGNED) <= 0) {
        return value;
      }
    }
    return Double.valueOf(text);
  }

  /** Bytes; with an odd number of digits the first byte has one digit. Null if a digit is wrong. */
  static ByteBuffer hexadecimal(String digits) {
    byte[] bytes = new byte[(digits.length() + 1) / 2];
    int odd = digits.length() % 2;
    for (int i = 0; i < digits.length(); i++) {
      int digit = Character.digit(digits.charAt(i), 16);
      if (digit < 0) {
        return null;
      }
      int at = (i + odd) / 2;
      bytes[at] = (byte) ((bytes[at] << 4) | digit);
    }
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }
}
