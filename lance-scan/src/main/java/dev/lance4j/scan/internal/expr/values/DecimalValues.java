package dev.lance4j.scan.internal.expr.values;

import java.math.BigInteger;

/** Unscaled decimals; the type has the scale. The number of a null row is zero. */
public final class DecimalValues extends Values {
  private final BigInteger[] values;

  public DecimalValues(BigInteger[] values, long[] valid) {
    super(values.length, valid);
    this.values = values;
  }

  public BigInteger[] values() {
    return values;
  }

  public BigInteger get(int row) {
    return values[row];
  }

  @Override
  public Values gather(int[] rows) {
    BigInteger[] result = new BigInteger[rows.length];
    for (int i = 0; i < rows.length; i++) {
      result[i] = rows[i] < 0 ? BigInteger.ZERO : values[rows[i]];
    }
    return new DecimalValues(result, Bits.gather(valid(), rows));
  }

  @Override
  public Values withValid(long[] valid) {
    return new DecimalValues(values, valid);
  }

  @Override
  public int compare(int row, Values other, int otherRow) {
    return values[row].compareTo(((DecimalValues) other).values[otherRow]);
  }
}
