package dev.lance4j.scan.internal.expr.values;

/** Single rows of values. */
public final class Rows {
  private Rows() {}

  /** Orders two values of the same type; null equals null and comes after all others. */
  public static int compareNullable(Values left, int leftRow, Values right, int rightRow) {
    boolean leftNull = left.isNull(leftRow);
    boolean rightNull = right.isNull(rightRow);
    if (leftNull || rightNull) {
      return Boolean.compare(leftNull, rightNull);
    }
    return left.compare(leftRow, right, rightRow);
  }

  /** A row of one value, repeated. */
  public static Values repeat(Values one, int size) {
    return one.gather(new int[size]);
  }

  /** The numbers from 0 up. */
  public static int[] sequence(int size) {
    int[] rows = new int[size];
    for (int i = 0; i < size; i++) {
      rows[i] = i;
    }
    return rows;
  }
}
