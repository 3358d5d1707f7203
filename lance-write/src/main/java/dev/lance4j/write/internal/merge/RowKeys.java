package dev.lance4j.write.internal.merge;

/** The keys of some rows, as they are hashed and compared. A key with a null part is null. */
abstract sealed class RowKeys permits LongKeys, BytesKeys {
  private final int size;
  private final long[] nulls;

  /**
   * @param nulls a bit for each row, set where the key is null; null when none is
   */
  RowKeys(int size, long[] nulls) {
    this.size = size;
    this.nulls = nulls;
  }

  final int size() {
    return size;
  }

  final boolean isNull(int row) {
    return nulls != null && (nulls[row >> 6] >>> row & 1) != 0;
  }

  /** The hash of a key that is not null, all of whose bits are well mixed. */
  abstract long hash(int row);

  /** A table in which these keys can be looked up. */
  abstract KeyTable table(boolean firstOnly);
}
