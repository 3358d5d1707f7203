package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.hash.XxHash64;
import java.util.Arrays;

/** RowKeys written as bytes, equal if and only if the bytes are. */
final class BytesKeys extends RowKeys {
  private final byte[] bytes;
  private final int[] ends;

  /**
   * @param bytes of all keys, end to end
   * @param ends where each key ends
   */
  BytesKeys(byte[] bytes, int[] ends, int size, long[] nulls) {
    super(size, nulls);
    this.bytes = bytes;
    this.ends = ends;
  }

  private int start(int row) {
    return row == 0 ? 0 : ends[row - 1];
  }

  @Override
  long hash(int row) {
    int start = start(row);
    return XxHash64.hash(bytes, start, ends[row] - start);
  }

  boolean equal(int row, BytesKeys other, int otherRow) {
    return Arrays.equals(
        bytes, start(row), ends[row], other.bytes, other.start(otherRow), other.ends[otherRow]);
  }

  @Override
  KeyTable table(boolean firstOnly) {
    return new BytesKeyTable(this, firstOnly);
  }
}
