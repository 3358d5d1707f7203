package dev.lance4j.scan.internal.expr.values;

/** Values of the null type. */
public final class NullValues extends Values {
  public NullValues(int size) {
    super(size, new long[Bits.words(size)]);
  }

  @Override
  public Values gather(int[] rows) {
    return new NullValues(rows.length);
  }

  @Override
  public Values withValid(long[] valid) {
    return this;
  }

  @Override
  public int compare(int row, Values other, int otherRow) {
    return 0;
  }
}
