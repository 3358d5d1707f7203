package dev.lance4j.index.internal.scalar.btree;

/** Keys of values of up to 64 bits: numbers that are ordered as the values are. */
final class NumberKeys extends Keys {
  private final long[] numbers;

  NumberKeys(long[] numbers) {
    this.numbers = numbers;
  }

  @Override
  int size() {
    return numbers.length;
  }

  @Override
  int firstAtLeast(SearchKey value) {
    long number = value.number();
    int low = 0;
    int high = numbers.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (numbers[middle] < number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  int firstAbove(SearchKey value) {
    long number = value.number();
    return number == Long.MAX_VALUE
        ? numbers.length
        : firstAtLeast(new SearchKey(number + 1, null));
  }

  @Override
  int compare(int i, Keys that, int j) {
    return Long.compare(numbers[i], ((NumberKeys) that).numbers[j]);
  }

  @Override
  long memoryBytes() {
    return (long) numbers.length * Long.BYTES;
  }
}
