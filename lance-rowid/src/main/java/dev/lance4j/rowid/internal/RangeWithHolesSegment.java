package dev.lance4j.rowid.internal;

import java.util.Arrays;

/**
 * The values of a range except a few.
 *
 * @param start inclusive
 * @param end exclusive
 * @param holes the missing values themselves, ascending
 */
record RangeWithHolesSegment(long start, long end, EncodedU64Array holes) implements U64Segment {
  private static final int OBJECT_BYTES = 32;

  @Override
  public long length() {
    return end - start - holes.length();
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
    return start + index + holesBefore(index);
  }

  // The number of holes that are smaller than the value at an index.
  private int holesBefore(long index) {
    int low = 0;
    int high = holes.length();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (holes.get(middle) - start - middle > index) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  @Override
  public long position(long value) {
    long slot = value - start;
    if (Long.compareUnsigned(slot, end - start) >= 0) {
      return -1;
    }
    int hole = holes.search(value);
    return hole >= 0 ? -1 : slot - (-hole - 1);
  }

  @Override
  public void copy(long from, int count, long[] target, int at) {
    int hole = holesBefore(from);
    long value = start + from + hole;
    for (int i = 0; i < count; i++) {
      while (hole < holes.length() && holes.get(hole) == value) {
        hole++;
        value++;
      }
      target[at + i] = value++;
    }
  }

  @Override
  public U64Segment slice(long from, long length) {
    if (length == 0) {
      return RangeSegment.EMPTY;
    }
    long[] inside = new long[holesBefore(from + length - 1) - holesBefore(from)];
    holes.copy(holesBefore(from), inside.length, inside, 0);
    return SegmentEncoder.encodeRangeWithout(get(from), get(from + length - 1) + 1, inside);
  }

  @Override
  public U64Segment mask(long[] positions) {
    long[] missing = new long[Math.addExact(holes.length(), positions.length)];
    holes.copy(0, holes.length(), missing, 0);
    for (int i = 0; i < positions.length; i++) {
      missing[holes.length() + i] = get(positions[i]);
    }
    sort(missing);
    return SegmentEncoder.encodeRangeWithout(start, end, missing);
  }

  // As distances to the start, which are small, so that the order of signed numbers is right.
  private void sort(long[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] -= start;
    }
    Arrays.sort(values);
    for (int i = 0; i < values.length; i++) {
      values[i] += start;
    }
  }

  @Override
  public long memoryBytes() {
    return OBJECT_BYTES + holes.memoryBytes();
  }
}
