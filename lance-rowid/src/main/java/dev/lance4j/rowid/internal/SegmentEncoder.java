package dev.lance4j.rowid.internal;

import java.util.Arrays;

/** Puts values into the form of segment in which they are smallest. */
public final class SegmentEncoder {
  private SegmentEncoder() {}

  /** Encodes all values in their order. */
  public static U64Segment encode(long... values) {
    return encode(values, 0, values.length);
  }

  /** Encodes a part of an array. */
  static U64Segment encode(long[] values, int from, int to) {
    // Repeated values fit into an array only: the other forms would lose them.
    return ascends(values, from, to)
        ? encodeAscending(values, from, to)
        : new ArraySegment(EncodedU64Array.of(values, from, to));
  }

  private static boolean ascends(long[] values, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      if (Long.compareUnsigned(values[i - 1], values[i]) >= 0) {
        return false;
      }
    }
    return true;
  }

  static U64Segment encodeAscending(long[] values, int from, int to) {
    if (from == to) {
      return RangeSegment.EMPTY;
    }
    long min = values[from];
    long max = values[to - 1];
    return switch (SegmentForm.smallest(min, max, to - from)) {
      case RANGE -> new RangeSegment(min, max + 1);
      case RANGE_WITH_HOLES ->
          new RangeWithHolesSegment(min, max + 1, EncodedU64Array.of(gaps(values, from, to)));
      case RANGE_WITH_BITMAP -> {
        long[] words = RankedBits.words(max - min + 1);
        for (int i = from; i < to; i++) {
          RankedBits.set(words, values[i] - min);
        }
        yield new RangeWithBitmapSegment(min, new RankedBits(words, max - min + 1));
      }
      case SORTED_ARRAY -> new SortedArraySegment(EncodedU64Array.of(values, from, to));
    };
  }

  private static long[] gaps(long[] values, int from, int to) {
    long slots = values[to - 1] - values[from] + 1;
    long[] gaps = new long[Math.toIntExact(slots - (to - from))];
    int n = 0;
    for (int i = from + 1; i < to; i++) {
      for (long gap = values[i - 1] + 1; gap != values[i]; gap++) {
        gaps[n++] = gap;
      }
    }
    return gaps;
  }

  /**
   * Encodes the values of a range except some.
   *
   * @param end exclusive
   * @param holes ascending, distinct values of the range
   */
  static U64Segment encodeRangeWithout(long start, long end, long[] holes) {
    int first = 0;
    int last = holes.length;
    while (first < last && holes[first] == start) {
      first++;
      start++;
    }
    while (first < last && holes[last - 1] == end - 1) {
      last--;
      end--;
    }
    if (start == end) {
      return RangeSegment.EMPTY;
    }
    return switch (SegmentForm.smallest(start, end - 1, end - start - (last - first))) {
      case RANGE -> new RangeSegment(start, end);
      case RANGE_WITH_HOLES ->
          new RangeWithHolesSegment(start, end, EncodedU64Array.of(holes, first, last));
      case RANGE_WITH_BITMAP -> {
        long[] words = RankedBits.ones(end - start);
        for (int i = first; i < last; i++) {
          RankedBits.clear(words, holes[i] - start);
        }
        yield new RangeWithBitmapSegment(start, new RankedBits(words, end - start));
      }
      case SORTED_ARRAY -> {
        long[] values = remaining(start, end, holes, first, last);
        yield new SortedArraySegment(EncodedU64Array.of(values));
      }
    };
  }

  private static long[] remaining(long start, long end, long[] holes, int first, int last) {
    long[] values = new long[Math.toIntExact(end - start - (last - first))];
    int n = 0;
    int hole = first;
    for (long value = start; value != end; value++) {
      if (hole < last && holes[hole] == value) {
        hole++;
      } else {
        values[n++] = value;
      }
    }
    return values;
  }

  /** All values of a segment except those at ascending, distinct positions. */
  static long[] without(U64Segment segment, long[] positions) {
    long[] values = values(segment, 0, segment.length());
    int kept = 0;
    int next = 0;
    for (int i = 0; i < values.length; i++) {
      if (next < positions.length && positions[next] == i) {
        next++;
      } else {
        values[kept++] = values[i];
      }
    }
    return Arrays.copyOf(values, kept);
  }

  /** Some values of a segment. */
  static long[] values(U64Segment segment, long from, long length) {
    long[] values = new long[Math.toIntExact(length)];
    segment.copy(from, values.length, values, 0);
    return values;
  }
}
