package dev.lance4j.rowid.internal;

/**
 * Numbers by row id, for ids that follow no pattern. The ids are sorted and cut into buckets by
 * their high bits, so that a search has to look at few of them. Immutable.
 */
public final class IdTable {
  /** Bytes of memory that an id usually takes: for itself, for its number and for the buckets. */
  static final int ID_BYTES = 11;

  private static final int IDS_PER_BUCKET = 8;
  private static final int OBJECT_BYTES = 64;

  private final long min;
  private final long max;
  private final int shift;
  // The index of the first id of each bucket, and the number of ids.
  private final int[] buckets;
  // Distances to the first id that a bucket can have.
  private final EncodedU64Array low;
  private final EncodedU64Array values;

  /**
   * A table of pairs.
   *
   * @param pairs sorted, with distinct ids
   */
  public IdTable(IdPairs pairs) {
    int size = pairs.size();
    this.min = size == 0 ? 0 : pairs.rowId(0);
    this.max = size == 0 ? 0 : pairs.rowId(size - 1);
    this.shift = shift(max - min, size);
    this.buckets = new int[(int) ((max - min) >>> shift) + 2];
    long[] distances = new long[size];
    for (int i = 0; i < size; i++) {
      long distance = pairs.rowId(i) - min;
      buckets[(int) (distance >>> shift) + 1]++;
      distances[i] = distance & ((1L << shift) - 1);
    }
    for (int i = 1; i < buckets.length; i++) {
      buckets[i] += buckets[i - 1];
    }
    this.low = EncodedU64Array.of(distances);
    this.values = EncodedU64Array.of(pairs.values());
  }

  // So many low bits that the ids of a bucket are few on average.
  private static int shift(long spread, int size) {
    int bucketBits = Integer.SIZE - Integer.numberOfLeadingZeros(size / IDS_PER_BUCKET);
    int spreadBits = Long.SIZE - Long.numberOfLeadingZeros(spread);
    return Math.min(Math.max(spreadBits - bucketBits, 0), Long.SIZE - 1);
  }

  /** The number of an id, or -1 if the table does not have the id. */
  public long get(long rowId) {
    long distance = rowId - min;
    if (low.length() == 0 || Long.compareUnsigned(distance, max - min) > 0) {
      return -1;
    }
    int bucket = (int) (distance >>> shift);
    int index = low.search(distance & ((1L << shift) - 1), buckets[bucket], buckets[bucket + 1]);
    return index < 0 ? -1 : values.get(index);
  }

  long memoryBytes() {
    return OBJECT_BYTES + 4L * buckets.length + low.memoryBytes() + values.memoryBytes();
  }
}
