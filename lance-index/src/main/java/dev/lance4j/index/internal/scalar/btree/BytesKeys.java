package dev.lance4j.index.internal.scalar.btree;

import java.util.Arrays;

/** Keys that are bytes, ordered as the values are when they are compared without sign. */
final class BytesKeys extends Keys {
  private final byte[] bytes;
  private final int[] ends;

  /**
   * @param bytes of all keys, one after the other
   * @param ends where each key ends
   */
  BytesKeys(byte[] bytes, int[] ends) {
    this.bytes = bytes;
    this.ends = ends;
  }

  private int start(int i) {
    return i == 0 ? 0 : ends[i - 1];
  }

  @Override
  int size() {
    return ends.length;
  }

  @Override
  int firstAtLeast(SearchKey value) {
    return first(value.bytes(), 0);
  }

  @Override
  int firstAbove(SearchKey value) {
    return first(value.bytes(), 1);
  }

  /** The first key whose order relative to a value is not below a limit. */
  private int first(byte[] value, int limit) {
    int low = 0;
    int high = ends.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order =
          Arrays.compareUnsigned(bytes, start(middle), ends[middle], value, 0, value.length);
      if (order < limit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  int compare(int i, Keys that, int j) {
    BytesKeys others = (BytesKeys) that;
    return Arrays.compareUnsigned(
        bytes, start(i), ends[i], others.bytes, others.start(j), others.ends[j]);
  }

  @Override
  long memoryBytes() {
    return bytes.length + (long) ends.length * Integer.BYTES;
  }
}
