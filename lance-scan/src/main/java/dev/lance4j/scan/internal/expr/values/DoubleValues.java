package dev.lance4j.scan.internal.expr.values;

/** Floating-point numbers of any width; narrower ones are held exactly. */
public final class DoubleValues extends Values {
  private final double[] values;

  public DoubleValues(double[] values, long[] valid) {
    super(values.length, valid);
    this.values = values;
  }

  public double[] values() {
    return values;
  }

  public double get(int row) {
    return values[row];
  }

  /**
   * A number that orders as IEEE 754's total order: negative NaN, negative numbers, -0, +0,
   * positive numbers, positive NaN; equal for the same bits only.
   */
  public static long orderKey(double value) {
    long bits = Double.doubleToRawLongBits(value);
    return bits ^ ((bits >> 63) & Long.MAX_VALUE);
  }

  @Override
  public Values gather(int[] rows) {
    double[] result = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      result[i] = rows[i] < 0 ? 0 : values[rows[i]];
    }
    return new DoubleValues(result, Bits.gather(valid(), rows));
  }

  @Override
  public Values withValid(long[] valid) {
    return new DoubleValues(values, valid);
  }

  @Override
  public int compare(int row, Values other, int otherRow) {
    return Long.compare(orderKey(values[row]), orderKey(((DoubleValues) other).values[otherRow]));
  }
}
