package dev.lance4j.index.internal.scalar.btree;

/** A run in memory. */
final class MemoryRun extends NumberRun {
  private static final long[] NONE = new long[0];

  private final long[] nulls;
  private final int nullCount;
  private long[] valueKeys;
  private long[] valueRows;
  private final int valueCount;
  private int loaded;

  /**
   * The arrays are taken over.
   *
   * @param nulls numbers of the rows without a value
   * @param keys of the other rows, ascending
   * @param rows the numbers of those
   */
  MemoryRun(long[] nulls, int nullCount, long[] keys, long[] rows, int count) {
    this.nulls = nulls;
    this.nullCount = nullCount;
    this.valueKeys = keys;
    this.valueRows = rows;
    this.valueCount = count;
  }

  long size() {
    return (long) nullCount + valueCount;
  }

  @Override
  boolean load() {
    at = 0;
    if (loaded == 0 && nullCount > 0) {
      loaded = 1;
      isNull = true;
      keys = NONE;
      rows = nulls;
      end = nullCount;
      return true;
    }
    if (loaded <= 1 && valueCount > 0) {
      loaded = 2;
      isNull = false;
      keys = valueKeys;
      rows = valueRows;
      end = valueCount;
      return true;
    }
    keys = NONE;
    rows = NONE;
    valueKeys = NONE;
    valueRows = NONE;
    end = 0;
    return false;
  }

  @Override
  public void close() {}
}
