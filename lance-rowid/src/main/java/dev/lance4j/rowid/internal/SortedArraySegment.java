package dev.lance4j.rowid.internal;

/**
 * A few values that are far apart.
 *
 * @param values ascending
 */
record SortedArraySegment(EncodedU64Array values) implements U64Segment {
  private static final int OBJECT_BYTES = 16;

  @Override
  public long length() {
    return values.length();
  }

  @Override
  public long min() {
    return values.get(0);
  }

  @Override
  public long max() {
    return values.get(values.length() - 1);
  }

  @Override
  public long get(long index) {
    return values.get((int) index);
  }

  @Override
  public long position(long value) {
    return Math.max(values.search(value), -1);
  }

  @Override
  public void copy(long from, int count, long[] target, int at) {
    values.copy((int) from, count, target, at);
  }

  @Override
  public U64Segment slice(long from, long length) {
    long[] slice = SegmentEncoder.values(this, from, length);
    return SegmentEncoder.encodeAscending(slice, 0, slice.length);
  }

  @Override
  public U64Segment mask(long[] positions) {
    long[] kept = SegmentEncoder.without(this, positions);
    return SegmentEncoder.encodeAscending(kept, 0, kept.length);
  }

  @Override
  public long memoryBytes() {
    return OBJECT_BYTES + values.memoryBytes();
  }
}
