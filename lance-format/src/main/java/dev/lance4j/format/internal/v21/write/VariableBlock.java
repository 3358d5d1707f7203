package dev.lance4j.format.internal.v21.write;

import java.nio.ByteBuffer;

/** Strings or binary values. */
final class VariableBlock implements LeafBlock {
  private final int offsetBits;
  private final int count;
  private final int[] offsets;
  private final int first;
  private final ByteBuffer values;

  /**
   * @param offsetBits the width of stored offsets, 32 or 64
   * @param offsets where values begin in {@code values}
   * @param first the index in {@code offsets} of the first value's
   */
  VariableBlock(int offsetBits, int count, int[] offsets, int first, ByteBuffer values) {
    this.offsetBits = offsetBits;
    this.count = count;
    this.offsets = offsets;
    this.first = first;
    this.values = values;
  }

  @Override
  public int count() {
    return count;
  }

  /** The width of stored offsets in bits. */
  int offsetBits() {
    return offsetBits;
  }

  /** The memory that values point into. */
  ByteBuffer values() {
    return values;
  }

  /** Where value {@code i} begins in {@link #values}. */
  int start(int i) {
    return offsets[first + i];
  }

  int length(int i) {
    return offsets[first + i + 1] - offsets[first + i];
  }

  /** The bytes of values {@code from} to {@code to}. */
  int dataBytes(int from, int to) {
    return offsets[first + to] - offsets[first + from];
  }

  int offsetBytes() {
    return offsetBits >> 3;
  }

  @Override
  public long bytes() {
    return (long) dataBytes(0, count) + (long) count * offsetBytes();
  }

  @Override
  public int maxValueBytes() {
    int max = 0;
    for (int i = 0; i < count; i++) {
      max = Math.max(max, length(i));
    }
    return max;
  }

  @Override
  public VariableBlock slice(int from, int length) {
    return new VariableBlock(offsetBits, length, offsets, first + from, values);
  }
}
