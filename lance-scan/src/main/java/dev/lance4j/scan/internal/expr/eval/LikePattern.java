package dev.lance4j.scan.internal.expr.eval;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A LIKE pattern over UTF-8 bytes: {@code %} any run, {@code _} one character, a backslash takes
 * the next character as it is.
 */
final class LikePattern {
  // In place of literals, whose code is 0.
  private static final byte ANY_CHARACTER = 1;
  private static final byte ANY_RUN = 2;

  private enum Shape {
    EXACT,
    PREFIX,
    SUFFIX,
    CONTAINS,
    /** Several texts in order, with any runs between them. */
    SEQUENCE,
    /** With single characters that may be anything. */
    GENERAL
  }

  private final byte[] literals;
  private final byte[] codes;
  private final int length;
  private final Shape shape;
  private final byte[] needle;
  private final BytesSearch search;
  private final List<BytesSearch> sequence;
  private final boolean fold;

  /**
   * @param fold whether case is ignored
   */
  LikePattern(String pattern, boolean fold) {
    this.fold = fold;
    byte[] source = (fold ? foldCase(pattern) : pattern).getBytes(StandardCharsets.UTF_8);
    literals = new byte[source.length];
    codes = new byte[source.length];
    int count = 0;
    for (int i = 0; i < source.length; i++) {
      byte b = source[i];
      if (b == '\\' && i + 1 < source.length) {
        literals[count++] = source[++i];
      } else if (b == '%') {
        if (count == 0 || codes[count - 1] != ANY_RUN) {
          codes[count++] = ANY_RUN;
        }
      } else if (b == '_') {
        codes[count++] = ANY_CHARACTER;
      } else {
        literals[count++] = b;
      }
    }
    length = count;
    shape = shape();
    needle = needle();
    search = new BytesSearch(needle);
    sequence = shape == Shape.SEQUENCE ? sequence() : List.of();
  }

  private Shape shape() {
    int first = length > 0 && codes[0] == ANY_RUN ? 1 : 0;
    int last = length > first && codes[length - 1] == ANY_RUN ? length - 1 : length;
    boolean runs = false;
    for (int i = first; i < last; i++) {
      if (codes[i] == ANY_CHARACTER) {
        return Shape.GENERAL;
      }
      runs |= codes[i] == ANY_RUN;
    }
    if (runs) {
      return Shape.SEQUENCE;
    }
    boolean open = last < length;
    return first == 1
        ? (open || length == 1 ? Shape.CONTAINS : Shape.SUFFIX)
        : (open ? Shape.PREFIX : Shape.EXACT);
  }

  private byte[] needle() {
    int from = length > 0 && codes[0] == ANY_RUN ? 1 : 0;
    int to = length > from && codes[length - 1] == ANY_RUN ? length - 1 : length;
    return Arrays.copyOfRange(literals, from, to);
  }

  /** The texts between the runs; those at the ends are empty where the pattern is open. */
  private List<BytesSearch> sequence() {
    List<BytesSearch> parts = new ArrayList<>();
    int from = 0;
    for (int i = 0; i <= length; i++) {
      if (i == length || codes[i] == ANY_RUN) {
        parts.add(new BytesSearch(Arrays.copyOfRange(literals, from, i)));
        from = i + 1;
      }
    }
    return parts;
  }

  boolean matches(byte[] bytes, int start, int end) {
    if (!fold) {
      return matchesExactly(bytes, start, end);
    }
    byte[] folded = foldBytes(bytes, start, end);
    return matchesExactly(folded, 0, folded.length);
  }

  private boolean matchesExactly(byte[] bytes, int start, int end) {
    int size = end - start;
    return switch (shape) {
      case EXACT -> Arrays.equals(bytes, start, end, needle, 0, needle.length);
      case PREFIX -> size >= needle.length && startsWith(bytes, start);
      case SUFFIX -> size >= needle.length && startsWith(bytes, end - needle.length);
      case CONTAINS -> search.find(bytes, start, end) >= 0;
      case SEQUENCE -> inSequence(bytes, start, end);
      case GENERAL -> general(bytes, start, end);
    };
  }

  private boolean startsWith(byte[] bytes, int at) {
    return Arrays.equals(bytes, at, at + needle.length, needle, 0, needle.length);
  }

  /** Takes each text where it is first found, which leaves most to those after it. */
  private boolean inSequence(byte[] bytes, int start, int end) {
    BytesSearch head = sequence.get(0);
    BytesSearch tail = sequence.get(sequence.size() - 1);
    int at = start + head.length();
    int limit = end - tail.length();
    if (at > limit || !head.isAt(bytes, start) || !tail.isAt(bytes, limit)) {
      return false;
    }
    for (int i = 1; i < sequence.size() - 1; i++) {
      int found = sequence.get(i).find(bytes, at, limit);
      if (found < 0) {
        return false;
      }
      at = found + sequence.get(i).length();
    }
    return true;
  }

  /** On a mismatch the last run takes one character more; earlier runs need never be revisited. */
  private boolean general(byte[] bytes, int start, int end) {
    int at = start;
    int token = 0;
    int runToken = -1;
    int runAt = start;
    while (at < end) {
      if (token < length && codes[token] == ANY_RUN) {
        runToken = token++;
        runAt = at;
      } else if (token < length && codes[token] == ANY_CHARACTER) {
        at += characterLength(bytes, at, end);
        token++;
      } else if (token < length && literals[token] == bytes[at]) {
        at++;
        token++;
      } else if (runToken >= 0) {
        runAt += characterLength(bytes, runAt, end);
        at = runAt;
        token = runToken + 1;
      } else {
        return false;
      }
    }
    while (token < length && codes[token] == ANY_RUN) {
      token++;
    }
    return token == length;
  }

  private static int characterLength(byte[] bytes, int at, int end) {
    int next = at + 1;
    while (next < end && (bytes[next] & 0xc0) == 0x80) {
      next++;
    }
    return next - at;
  }

  private static byte[] foldBytes(byte[] bytes, int start, int end) {
    byte[] folded = Arrays.copyOfRange(bytes, start, end);
    for (int i = 0; i < folded.length; i++) {
      byte b = folded[i];
      if (b < 0) {
        return foldCase(new String(bytes, start, end - start, StandardCharsets.UTF_8))
            .getBytes(StandardCharsets.UTF_8);
      }
      if (b >= 'A' && b <= 'Z') {
        folded[i] = (byte) (b + 32);
      }
    }
    return folded;
  }

  /** Unicode's simple case folding, character by character. */
  private static String foldCase(String text) {
    StringBuilder folded = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> folded.appendCodePoint(Character.toLowerCase(Character.toUpperCase(c))));
    return folded.toString();
  }
}
