package dev.lance4j;

import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A condition on the rows of a {@link MaintainedTable}.
 *
 * @param text as a filter
 * @param holds the same in Java
 */
record MaintainedCondition(String text, Predicate<MaintainedRow> holds) {
  /** A condition that one index or several can answer. */
  static MaintainedCondition random(Random random, int keys) {
    return switch (random.nextInt(5)) {
      case 0 -> {
        MaintainedCondition left = simple(random, keys);
        MaintainedCondition right = simple(random, keys);
        yield new MaintainedCondition(
            left.text + " AND " + right.text, left.holds.and(right.holds));
      }
      case 1 -> {
        MaintainedCondition left = simple(random, keys);
        MaintainedCondition right = simple(random, keys);
        yield new MaintainedCondition(left.text + " OR " + right.text, left.holds.or(right.holds));
      }
      default -> simple(random, keys);
    };
  }

  /** A condition on one column. */
  static MaintainedCondition simple(Random random, int keys) {
    return switch (random.nextInt(6)) {
      case 0 -> onKey(random.nextInt(keys), random.nextInt(20));
      case 1, 2 -> onLabels(random.nextInt(3), value(random), value(random));
      case 3 -> onValue("m", MaintainedRow::m, random);
      case 4 -> onValue("z", MaintainedRow::z, random);
      default -> onValue("f", MaintainedRow::f, random);
    };
  }

  private static int value(Random random) {
    return random.nextInt(MaintainedRow.VALUES);
  }

  static MaintainedCondition onKey(int from, int more) {
    return new MaintainedCondition(
        more == 0 ? "k = " + from : "k BETWEEN " + from + " AND " + (from + more),
        row -> row.k() >= from && row.k() <= from + more);
  }

  private static MaintainedCondition onLabels(int form, int a, int b) {
    return switch (form) {
      case 0 ->
          new MaintainedCondition(
              "array_has(l, " + a + ")", row -> row.l() != null && row.l().contains(a));
      case 1 ->
          new MaintainedCondition(
              "array_has_any(l, [" + a + ", " + b + "])",
              row -> row.l() != null && (row.l().contains(a) || row.l().contains(b)));
      default ->
          new MaintainedCondition(
              "array_has_all(l, [" + a + ", " + b + "])",
              row -> row.l() != null && row.l().containsAll(List.of(a, b)));
    };
  }

  private static MaintainedCondition onValue(
      String column, Function<MaintainedRow, Integer> of, Random random) {
    int a = value(random);
    int b = value(random);
    return switch (random.nextInt(5)) {
      case 0 -> new MaintainedCondition(column + " IS NULL", row -> of.apply(row) == null);
      case 1 ->
          new MaintainedCondition(
              column + " != " + a, row -> of.apply(row) != null && of.apply(row) != a);
      case 2 ->
          new MaintainedCondition(
              column + " >= " + a, row -> of.apply(row) != null && of.apply(row) >= a);
      case 3 ->
          new MaintainedCondition(
              column + " IN (" + a + ", " + b + ")",
              row -> Objects.equals(of.apply(row), a) || Objects.equals(of.apply(row), b));
      default ->
          new MaintainedCondition(column + " = " + a, row -> Objects.equals(of.apply(row), a));
    };
  }
}
