package dev.lance4j.rowid.internal;

/**
 * All values of a range.
 *
 * @param start inclusive
 * @param end exclusive
 */
record RangeSegment(long start, long end) implements U64Segment {
  /** The segment without values. */
  static final RangeSegment EMPTY = new RangeSegment(0, 0);

  private static final int OBJECT_BYTES = 32;

  @Override
  public long length() {
    return end - start;
  }

  @Override
  public long min() {
    return start;
  }

  @Override
  public long max() {
    return end - 1;
  }

  @Override
  public long get(long index) {
    return start + index;
  }

  @Override
  public long position(long value) {
    long index = value - start;
    return Long.compareUnsigned(index, end - start) < 0 ? index : -1;
  }

  @Override
  public void copy(long from, int count, long[] target, int at) {
    for (int i = 0; i < count; i++) {
      target[at + i] = start + from + i;
    }
  }

  @Override
  public U64Segment slice(long from, long length) {
    return length == 0 ? EMPTY : new RangeSegment(start + from, start + from + length);
  }

  @Override
  public U64Segment mask(long[] positions) {
    long[] holes = new long[positions.length];
    for (int i = 0; i < holes.length; i++) {
      holes[i] = start + positions[i];
    }
    return SegmentEncoder.encodeRangeWithout(start, end, holes);
  }

  @Override
  public long memoryBytes() {
    return OBJECT_BYTES;
  }
}
