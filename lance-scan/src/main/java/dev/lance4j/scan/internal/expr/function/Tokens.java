package dev.lance4j.scan.internal.expr.function;

import java.util.LinkedHashSet;
import java.util.Set;

/** Splits a text at every character that is neither letter nor digit. */
final class Tokens {
  private Tokens() {}

  static Set<String> of(String text) {
    Set<String> tokens = new LinkedHashSet<>();
    StringBuilder token = new StringBuilder();
    for (int c : text.codePoints().toArray()) {
      if (Character.isAlphabetic(c) || isNumeric(c)) {
        token.appendCodePoint(c);
      } else if (!token.isEmpty()) {
        tokens.add(token.toString());
        token.setLength(0);
      }
    }
    if (!token.isEmpty()) {
      tokens.add(token.toString());
    }
    return tokens;
  }

  private static boolean isNumeric(int c) {
    return switch (Character.getType(c)) {
      case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER -> true;
      default -> false;
    };
  }
}
