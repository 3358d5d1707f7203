package dev.lance4j.scan.internal.expr.function;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.lance4j.format.InvalidInputException;

/**
 * The dialect of regular expressions: classes are those of Unicode, groups are written {@code $1}.
 */
final class RegexSyntax {
  private static final String WORD = "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}";
  private static final String DIGIT = "\\p{Nd}";
  private static final String SPACE = "\\t\\n\\v\\f\\r\\x{85}\\p{Z}";

  private RegexSyntax() {}

  /**
   * @param flags any of {@code i} (ignore case), {@code s} (the dot matches a line break), {@code
   *     m} (line anchors)
   */
  static Pattern compile(String pattern, String flags) {
    int bits = 0;
    for (int i = 0; i < flags.length(); i++) {
      char flag = flags.charAt(i);
      bits |=
          switch (flag) {
            case 'i' -> Pattern.CASE_INSENSITIVE;
            case 's' -> Pattern.DOTALL;
            case 'm' -> Pattern.MULTILINE;
            default ->
                throw new InvalidInputException(
                    "Unknown flag '" + flag + "' of a regular expression; use i, m or s");
          };
    }
    try {
      return Pattern.compile(translate(pattern), bits);
    } catch (PatternSyntaxException e) {
      throw new InvalidInputException(
          "Not a regular expression: '" + pattern + "': " + e.getDescription(), e);
    }
  }

  /** The engine's own classes know ASCII only. */
  private static String translate(String pattern) {
    StringBuilder result = new StringBuilder(pattern.length());
    boolean inClass = false;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '\\' && i + 1 < pattern.length()) {
        appendEscape(pattern.charAt(++i), inClass, result);
        continue;
      }
      if (c == '[' && !inClass) {
        inClass = true;
        i = copyClassStart(pattern, i, result);
        continue;
      }
      inClass &= c != ']';
      result.append(c);
    }
    return result.toString();
  }

  /** A closing bracket that comes first in a class is one of its characters. */
  private static int copyClassStart(String pattern, int open, StringBuilder result) {
    int i = open;
    result.append(pattern.charAt(i));
    if (i + 1 < pattern.length() && pattern.charAt(i + 1) == '^') {
      result.append(pattern.charAt(++i));
    }
    if (i + 1 < pattern.length() && pattern.charAt(i + 1) == ']') {
      result.append("\\]");
      i++;
    }
    return i;
  }

  private static void appendEscape(char escaped, boolean inClass, StringBuilder result) {
    String members =
        switch (escaped) {
          case 'w', 'W' -> WORD;
          case 'd', 'D' -> DIGIT;
          case 's', 'S' -> SPACE;
          default -> null;
        };
    boolean negated = Character.isUpperCase(escaped);
    if (members == null || (inClass && negated)) {
      result.append('\\').append(escaped);
    } else if (inClass) {
      result.append(members);
    } else {
      result.append(negated ? "[^" : "[").append(members).append(']');
    }
  }

  /**
   * Appends a replacement in which {@code \1}, {@code $1}, {@code ${1}} and {@code ${name}} are
   * groups.
   */
  static void appendReplacement(Matcher matcher, String by, StringBuilder result) {
    int i = 0;
    while (i < by.length()) {
      char c = by.charAt(i);
      char next = i + 1 < by.length() ? by.charAt(i + 1) : '\0';
      if (c == '$' && next == '$') {
        result.append('$');
        i += 2;
      } else if (c == '$' && next == '{' && by.indexOf('}', i) > 0) {
        int close = by.indexOf('}', i);
        appendGroup(matcher, by.substring(i + 2, close), result);
        i = close + 1;
      } else if ((c == '$' && isNamePart(next)) || (c == '\\' && isDigit(next))) {
        int end = i + 1;
        while (end < by.length()
            && (c == '$' ? isNamePart(by.charAt(end)) : isDigit(by.charAt(end)))) {
          end++;
        }
        appendGroup(matcher, by.substring(i + 1, end), result);
        i = end;
      } else {
        result.append(c);
        i++;
      }
    }
  }

  private static boolean isNamePart(char c) {
    return isDigit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** A group that does not exist is empty. */
  private static void appendGroup(Matcher matcher, String name, StringBuilder result) {
    String group = null;
    if (name.length() < 5 && !name.isEmpty() && name.chars().allMatch(c -> isDigit((char) c))) {
      int number = Integer.parseInt(name);
      group = number <= matcher.groupCount() ? matcher.group(number) : null;
    } else {
      try {
        group = matcher.group(name);
      } catch (IllegalArgumentException e) {
        return;
      }
    }
    result.append(group == null ? "" : group);
  }
}
