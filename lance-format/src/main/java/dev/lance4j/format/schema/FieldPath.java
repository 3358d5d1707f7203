package dev.lance4j.format.schema;

import java.util.ArrayList;
import java.util.List;

/**
 * A path to a field as users write it: names joined by dots. A name in back-ticks may hold dots,
 * and back-ticks written twice.
 */
public final class FieldPath {
  private static final char TICK = '`';
  // A star alone stands for all columns.
  private static final String SPECIAL = ".`*";

  private final String text;
  private final List<String> names = new ArrayList<>();
  private int at;

  private FieldPath(String text) {
    this.text = text;
  }

  /** The names from the top down. What is no path is the name of a column as it stands. */
  public static List<String> parse(String text) {
    FieldPath path = new FieldPath(text);
    return path.parse() ? List.copyOf(path.names) : List.of(text);
  }

  /** The path as text that {@link #parse} reads. */
  public static String format(List<String> names) {
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      text.append(text.isEmpty() ? "" : ".");
      boolean plain = !name.isEmpty() && SPECIAL.chars().noneMatch(c -> name.indexOf(c) >= 0);
      text.append(plain ? name : '`' + name.replace("`", "``") + '`');
    }
    return text.toString();
  }

  private boolean parse() {
    while (name()) {
      if (at == text.length()) {
        return true;
      }
      if (text.charAt(at++) != '.') {
        return false;
      }
    }
    return false;
  }

  private boolean name() {
    boolean ticked = at < text.length() && text.charAt(at) == TICK;
    return ticked ? quoted() : plain();
  }

  private boolean plain() {
    int dot = text.indexOf('.', at);
    String name = text.substring(at, dot < 0 ? text.length() : dot);
    at += name.length();
    names.add(name);
    return !name.isEmpty() && name.indexOf(TICK) < 0;
  }

  private boolean quoted() {
    StringBuilder name = new StringBuilder();
    for (at++; at < text.length(); at++) {
      char c = text.charAt(at);
      boolean last = at + 1 == text.length() || text.charAt(at + 1) != TICK;
      if (c == TICK && last) {
        at++;
        names.add(name.toString());
        return !name.isEmpty();
      }
      at += c == TICK ? 1 : 0;
      name.append(c);
    }
    return false;
  }
}
