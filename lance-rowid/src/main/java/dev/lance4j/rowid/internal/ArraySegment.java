package dev.lance4j.rowid.internal;

/**
 * Values in any order. A value is found by looking at all of them.
 *
 * @param values in the order of the rows
 */
record ArraySegment(EncodedU64Array values) implements U64Segment {
  private static final int OBJECT_BYTES = 16;

  @Override
  public long length() {
    return values.length();
  }

  @Override
  public long min() {
    long min = values.get(0);
    for (int i = 1; i < values.length(); i++) {
      min = Long.compareUnsigned(values.get(i), min) < 0 ? values.get(i) : min;
    }
    return min;
  }

  @Override
  public long max() {
    long max = values.get(0);
    for (int i = 1; i < values.length(); i++) {
      max = Long.compareUnsigned(values.get(i), max) > 0 ? values.get(i) : max;
    }
    return max;
  }

  @Override
  public long get(long index) {
    return values.get((int) index);
  }

  @Override
  public long position(long value) {
    return values.indexOf(value);
  }

  @Override
  public void copy(long from, int count, long[] target, int at) {
    values.copy((int) from, count, target, at);
  }

  @Override
  public U64Segment slice(long from, long length) {
    return SegmentEncoder.encode(SegmentEncoder.values(this, from, length));
  }

  @Override
  public U64Segment mask(long[] positions) {
    long[] kept = SegmentEncoder.without(this, positions);
    return kept.length == 0 ? RangeSegment.EMPTY : new ArraySegment(EncodedU64Array.of(kept));
  }

  @Override
  public U64Segment delete(long[] positions) {
    return SegmentEncoder.encode(SegmentEncoder.without(this, positions));
  }

  @Override
  public long memoryBytes() {
    return OBJECT_BYTES + values.memoryBytes();
  }
}
