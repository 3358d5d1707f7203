package dev.lance4j.scan.internal.expr;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Suggests what a name that does not exist may have meant. */
public final class NearestNames {
  private static final int SUGGESTIONS = 3;
  private static final Pattern PLAIN =
      Pattern.compile("[\\p{IsAlphabetic}_][\\p{IsAlphabetic}\\p{IsDigit}_]*");

  private NearestNames() {}

  /** {@code "; did you mean 'a' or 'b'?"}, or nothing if no name is near. */
  public static String hint(String name, Collection<String> candidates) {
    int limit = Math.max(2, name.length() / 3);
    List<String> near =
        candidates.stream()
            .filter(candidate -> distance(name, candidate) <= limit || isPrefix(name, candidate))
            .sorted(Comparator.comparingInt((String c) -> distance(name, c)).thenComparing(c -> c))
            .limit(SUGGESTIONS)
            .map(NearestNames::quoted)
            .toList();
    return near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
  }

  private static boolean isPrefix(String name, String candidate) {
    return name.length() > 1 && candidate.regionMatches(true, 0, name, 0, name.length());
  }

  /** A name that cannot be written as it is comes in the back-ticks that it needs. */
  private static String quoted(String name) {
    return PLAIN.matcher(name).matches() ? "'" + name + "'" : "`" + name + "`";
  }

  /** Edits between two names, ignoring case. */
  private static int distance(String left, String right) {
    String l = left.toLowerCase(Locale.ROOT);
    String r = right.toLowerCase(Locale.ROOT);
    int[] row = new int[r.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= l.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (l.charAt(i - 1) == r.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[r.length()];
  }
}
