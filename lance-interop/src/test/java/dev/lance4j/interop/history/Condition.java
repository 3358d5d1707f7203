package dev.lance4j.interop.history;

import dev.lance4j.interop.history.Content.Leaf;
import java.util.Random;
import java.util.function.Function;

/** A filter, as text and as what it says of a row: null for unknown. */
record Condition(String sql, Function<Row, Boolean> truth) {
  boolean holds(Row row) {
    return Boolean.TRUE.equals(truth.apply(row));
  }

  static Condition random(Content content, Random random) {
    Condition left = simple(content, random);
    return switch (random.nextInt(7)) {
      case 0 -> and(left, simple(content, random));
      case 1 -> or(left, simple(content, random));
      case 2 -> new Condition("NOT (" + left.sql + ")", row -> not(left.truth.apply(row)));
      default -> left;
    };
  }

  private static Boolean not(Boolean value) {
    return value == null ? null : (Boolean) !value;
  }

  private static Condition and(Condition left, Condition right) {
    return new Condition(
        "(" + left.sql + ") AND (" + right.sql + ")",
        row -> decided(left.truth.apply(row), right.truth.apply(row), false));
  }

  private static Condition or(Condition left, Condition right) {
    return new Condition(
        "(" + left.sql + ") OR (" + right.sql + ")",
        row -> decided(left.truth.apply(row), right.truth.apply(row), true));
  }

  /** One value decides; otherwise what is unknown leaves it unknown. */
  private static Boolean decided(Boolean left, Boolean right, Boolean deciding) {
    if (deciding.equals(left) || deciding.equals(right)) {
      return deciding;
    }
    return (left == null || right == null) ? null : (Boolean) !deciding;
  }

  private static Condition simple(Content content, Random random) {
    Leaf leaf = content.leaf(random, l -> l.isInteger() || l.isText());
    if (leaf == null) {
      return new Condition("true", row -> true);
    }
    if (random.nextInt(6) == 0) {
      return new Condition(leaf.path() + " IS NULL", row -> leaf.of(row) == null);
    }
    return leaf.isText() ? text(leaf, random) : integer(leaf, random);
  }

  private static Condition text(Leaf leaf, Random random) {
    String text = "x" + random.nextInt(12);
    return random.nextBoolean()
        ? on(leaf, " = '" + text + "'", text::equals)
        : on(leaf, " LIKE '" + text + "%'", value -> ((String) value).startsWith(text));
  }

  private static Condition integer(Leaf leaf, Random random) {
    long number = random.nextInt(14);
    long rest = random.nextInt(3);
    return switch (random.nextInt(4)) {
      case 0 -> on(leaf, " % 3 = " + rest, value -> (Long) value % 3 == rest);
      case 1 -> on(leaf, " > " + number, value -> (Long) value > number);
      case 2 -> on(leaf, " = " + number, value -> (Long) value == number);
      default ->
          on(
              leaf,
              " IN (" + number + ", " + rest + ")",
              value -> (Long) value == number || (Long) value == rest);
    };
  }

  private static Condition on(Leaf leaf, String rest, Function<Object, Boolean> test) {
    return new Condition(
        leaf.path() + rest, row -> leaf.of(row) == null ? null : test.apply(leaf.of(row)));
  }
}
