package dev.lance4j.scan.internal.expr.values;

/** Truth values; the bit of a null row is zero. */
public final class BoolValues extends Values {
  private final long[] bits;

  /** Takes over the bits; those of null rows are cleared. */
  public BoolValues(int size, long[] bits, long[] valid) {
    super(size, valid);
    if (valid != null) {
      for (int i = 0; i < bits.length; i++) {
        bits[i] &= valid[i];
      }
    }
    this.bits = bits;
  }

  /** A bit per row that is true. */
  public long[] bits() {
    return bits;
  }

  public boolean get(int row) {
    return Bits.get(bits, row);
  }

  @Override
  public Values gather(int[] rows) {
    long[] result = new long[Bits.words(rows.length)];
    for (int i = 0; i < rows.length; i++) {
      if (rows[i] >= 0 && get(rows[i])) {
        Bits.set(result, i);
      }
    }
    return new BoolValues(rows.length, result, Bits.gather(valid(), rows));
  }

  @Override
  public Values withValid(long[] valid) {
    return new BoolValues(size(), bits.clone(), valid);
  }

  @Override
  public int compare(int row, Values other, int otherRow) {
    return Boolean.compare(get(row), ((BoolValues) other).get(otherRow));
  }
}
