package dev.lance4j.scan.internal.lookup;

import java.util.Optional;

/**
 * What a LIKE pattern says of the start of a text.
 *
 * @param text the start: what is before the first wildcard
 * @param rest what follows
 */
record TextPrefix(String text, Rest rest) {
  /** What follows the start of a text. */
  enum Rest {
    /** Nothing: the text is the pattern. */
    NOTHING,
    /** Anything. */
    ANYTHING,
    /** What only the pattern tells. */
    PATTERN
  }

  private static final int LAST_CODE_POINT = Character.MAX_CODE_POINT;

  /**
   * Takes a pattern apart.
   *
   * @param pattern in which a backslash takes the next character as it is
   */
  static TextPrefix ofPattern(String pattern) {
    StringBuilder start = new StringBuilder();
    int at = 0;
    while (at < pattern.length() && !isWildcard(pattern.charAt(at))) {
      if (pattern.charAt(at) == '\\' && at + 1 < pattern.length()) {
        at++;
      }
      start.append(pattern.charAt(at++));
    }
    String rest = pattern.substring(at);
    boolean anything = rest.chars().allMatch(c -> c == '%');
    return new TextPrefix(
        start.toString(), rest.isEmpty() ? Rest.NOTHING : anything ? Rest.ANYTHING : Rest.PATTERN);
  }

  private static boolean isWildcard(char c) {
    return c == '%' || c == '_';
  }

  /**
   * The least text, in the order of UTF-8 bytes, that is greater than all texts with this start;
   * none if there is no greater one.
   */
  Optional<String> successor() {
    int end = text.length();
    while (end > 0) {
      int last = text.codePointBefore(end);
      int start = end - Character.charCount(last);
      if (last < LAST_CODE_POINT) {
        return Optional.of(text.substring(0, start) + Character.toString(next(last)));
      }
      end = start;
    }
    return Optional.empty();
  }

  /** Surrogates are no characters. */
  private static int next(int codePoint) {
    int next = codePoint + 1;
    return next == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : next;
  }
}
