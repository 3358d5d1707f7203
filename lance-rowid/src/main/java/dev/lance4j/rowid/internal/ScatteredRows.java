package dev.lance4j.rowid.internal;

import dev.lance4j.rowid.RowAddress;

/**
 * Addresses of single rows by id, for rows that follow no pattern. Ids are sorted and cut into
 * buckets by their high bits, so that a search has to look at few of them.
 */
final class ScatteredRows {
  /** Bytes of memory that a row usually takes: for its id, for its address and for the buckets. */
  static final int ROW_BYTES = 11;

  private static final int ROWS_PER_BUCKET = 8;
  private static final int OBJECT_BYTES = 64;

  private final long min;
  private final long max;
  private final int shift;
  // The index of the first row of each bucket, and the number of rows.
  private final int[] buckets;
  // Distances to the first id that a bucket can have.
  private final EncodedU64Array low;
  private final EncodedU64Array rowAddresses;

  /**
   * @param rows sorted by distinct ids
   */
  ScatteredRows(RowPairs rows) {
    int size = rows.size();
    this.min = size == 0 ? 0 : rows.rowId(0);
    this.max = size == 0 ? 0 : rows.rowId(size - 1);
    this.shift = shift(max - min, size);
    this.buckets = new int[(int) ((max - min) >>> shift) + 2];
    long[] distances = new long[size];
    for (int i = 0; i < size; i++) {
      long distance = rows.rowId(i) - min;
      buckets[(int) (distance >>> shift) + 1]++;
      distances[i] = distance & ((1L << shift) - 1);
    }
    for (int i = 1; i < buckets.length; i++) {
      buckets[i] += buckets[i - 1];
    }
    this.low = EncodedU64Array.of(distances);
    this.rowAddresses = EncodedU64Array.of(rows.rowAddresses());
  }

  // So many low bits that the rows of a bucket are few on average.
  private static int shift(long spread, int size) {
    int bucketBits = Integer.SIZE - Integer.numberOfLeadingZeros(size / ROWS_PER_BUCKET);
    int spreadBits = Long.SIZE - Long.numberOfLeadingZeros(spread);
    return Math.min(Math.max(spreadBits - bucketBits, 0), Long.SIZE - 1);
  }

  /** The address of the row with an id, or {@link RowAddress#NONE}. */
  long rowAddress(long rowId) {
    long distance = rowId - min;
    if (low.length() == 0 || Long.compareUnsigned(distance, max - min) > 0) {
      return RowAddress.NONE;
    }
    int bucket = (int) (distance >>> shift);
    int index = low.search(distance & ((1L << shift) - 1), buckets[bucket], buckets[bucket + 1]);
    return index < 0 ? RowAddress.NONE : rowAddresses.get(index);
  }

  int size() {
    return low.length();
  }

  long memoryBytes() {
    return OBJECT_BYTES + 4L * buckets.length + low.memoryBytes() + rowAddresses.memoryBytes();
  }
}
