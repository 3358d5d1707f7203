package dev.lance4j.rowid.internal;

/**
 * A list of unsigned 64-bit values in one of five forms, each small for another kind of list.
 * {@link SegmentEncoder} chooses between them. Immutable.
 *
 * <p>Indices and positions count from 0 and are the caller's to keep below {@link #length}.
 */
public sealed interface U64Segment
    permits RangeSegment,
        RangeWithHolesSegment,
        RangeWithBitmapSegment,
        SortedArraySegment,
        ArraySegment {
  /** The segment of all values from {@code start} (inclusive) to {@code end} (exclusive). */
  static U64Segment range(long start, long end) {
    return new RangeSegment(start, end);
  }

  /** The number of values, at most 2^32. */
  long length();

  /** The smallest value; only for a segment with values. */
  long min();

  /** The greatest value; only for a segment with values. */
  long max();

  /** The value at an index. */
  long get(long index);

  /** The index of the first occurrence of a value, or -1. */
  long position(long value);

  /** Copies {@code count} values, from an index on, to a position of an array. */
  void copy(long from, int count, long[] target, int at);

  /** The values of a range of indices, encoded anew. */
  U64Segment slice(long from, long length);

  /**
   * The values except those at some indices. Whether the values are taken for sorted does not
   * change.
   *
   * @param positions ascending and distinct
   */
  U64Segment mask(long[] positions);

  /**
   * As {@link #mask}, but values that were in no order are sorted if what is left ascends.
   *
   * @param positions ascending and distinct
   */
  default U64Segment delete(long[] positions) {
    return mask(positions);
  }

  /** Bytes of memory. */
  long memoryBytes();
}
