package dev.lance4j.rowid.internal;

/**
 * Some values of a range.
 *
 * @param start the value that the first bit stands for
 * @param bits one for each value of the range, set if the value is in the segment
 */
record RangeWithBitmapSegment(long start, RankedBits bits) implements U64Segment {
  private static final int OBJECT_BYTES = 24;

  @Override
  public long length() {
    return bits.ones();
  }

  @Override
  public long min() {
    return get(0);
  }

  @Override
  public long max() {
    return get(length() - 1);
  }

  @Override
  public long get(long index) {
    return start + bits.select(index);
  }

  @Override
  public long position(long value) {
    long bit = value - start;
    boolean found = Long.compareUnsigned(bit, bits.size()) < 0 && bits.get(bit);
    return found ? bits.rank(bit) : -1;
  }

  @Override
  public void copy(long from, int count, long[] target, int at) {
    bits.copy(from, count, start, target, at);
  }

  @Override
  public U64Segment slice(long from, long length) {
    long[] values = SegmentEncoder.values(this, from, length);
    return SegmentEncoder.encodeAscending(values, 0, values.length);
  }

  @Override
  public U64Segment mask(long[] positions) {
    long[] values = SegmentEncoder.without(this, positions);
    return SegmentEncoder.encodeAscending(values, 0, values.length);
  }

  @Override
  public long memoryBytes() {
    return OBJECT_BYTES + bits.memoryBytes();
  }
}
