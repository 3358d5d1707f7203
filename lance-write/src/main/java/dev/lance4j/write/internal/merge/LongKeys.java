package dev.lance4j.write.internal.merge;

/** RowKeys of one column whose values fit 64 bits. */
final class LongKeys extends RowKeys {
  private final long[] values;

  LongKeys(long[] values, int size, long[] nulls) {
    super(size, nulls);
    this.values = values;
  }

  long value(int row) {
    return values[row];
  }

  @Override
  long hash(int row) {
    return mix(values[row]);
  }

  static long mix(long value) {
    long hash = (value ^ (value >>> 33)) * 0xFF51AFD7ED558CCDL;
    hash = (hash ^ (hash >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return hash ^ (hash >>> 33);
  }

  @Override
  KeyTable table(boolean firstOnly) {
    return new LongKeyTable(this, firstOnly);
  }
}
