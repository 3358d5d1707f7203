package dev.lance4j.index.internal.scalar.btree;

/** Values in a form that is compared quickly. Immutable. */
abstract sealed class Keys permits NumberKeys, BytesKeys {
  abstract int size();

  /** The position of the first of ascending keys that is not below a value; the size if none. */
  abstract int firstAtLeast(SearchKey value);

  /** The position of the first of ascending keys that is above a value; the size if none. */
  abstract int firstAbove(SearchKey value);

  /** Compares a key with one of other keys of the same column. */
  abstract int compare(int i, Keys that, int j);

  /** About how many bytes of memory the keys take. */
  abstract long memoryBytes();

  /** Whether no key is below the one before it. */
  final boolean ascend() {
    for (int i = 1; i < size(); i++) {
      if (compare(i - 1, this, i) > 0) {
        return false;
      }
    }
    return true;
  }
}
