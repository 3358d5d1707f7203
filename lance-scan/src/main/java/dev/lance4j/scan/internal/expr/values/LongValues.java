package dev.lance4j.scan.internal.expr.values;

/**
 * Integers, dates, times, timestamps and durations. Unsigned 64-bit integers are held as they are,
 * so that the largest are negative here.
 */
public final class LongValues extends Values {
  private final long[] values;
  private final boolean unsigned;

  public LongValues(long[] values, long[] valid) {
    this(values, valid, false);
  }

  /**
   * @param unsigned whether negative numbers stand for the upper half of the unsigned ones
   */
  public LongValues(long[] values, long[] valid, boolean unsigned) {
    super(values.length, valid);
    this.values = values;
    this.unsigned = unsigned;
  }

  public long[] values() {
    return values;
  }

  public long get(int row) {
    return values[row];
  }

  @Override
  public Values gather(int[] rows) {
    long[] result = new long[rows.length];
    for (int i = 0; i < rows.length; i++) {
      result[i] = rows[i] < 0 ? 0 : values[rows[i]];
    }
    return new LongValues(result, Bits.gather(valid(), rows), unsigned);
  }

  @Override
  public Values withValid(long[] valid) {
    return new LongValues(values, valid, unsigned);
  }

  @Override
  public int compare(int row, Values other, int otherRow) {
    long left = values[row];
    long right = ((LongValues) other).values[otherRow];
    return unsigned ? Long.compareUnsigned(left, right) : Long.compare(left, right);
  }
}
