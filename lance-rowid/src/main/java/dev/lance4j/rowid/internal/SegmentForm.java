package dev.lance4j.rowid.internal;

/** The forms of a segment whose values ascend. */
enum SegmentForm {
  RANGE,
  RANGE_WITH_HOLES,
  RANGE_WITH_BITMAP,
  SORTED_ARRAY;

  // From here on the values are so sparse that an array is the smallest form, and the estimates of
  // the others could overflow.
  private static final long SPARSE_SLOTS = 1L << 59;

  /**
   * The form in which ascending values are estimated to be smallest, the first one on ties. The
   * estimates take holes for 4 bytes and array items for 2 bytes, whatever they need in truth;
   * other writers do the same.
   *
   * @param count the number of values, at least 1
   */
  static SegmentForm smallest(long min, long max, long count) {
    if (max == -1) {
      // The exclusive end of a range would be 2^64.
      return SORTED_ARRAY;
    }
    long slots = max - min + 1;
    if (slots == count) {
      return RANGE;
    }
    if (Long.compareUnsigned(slots, SPARSE_SLOTS) >= 0) {
      return SORTED_ARRAY;
    }
    long holes = 4 * (slots - count);
    long bitmap = (slots + 7) / 8;
    long array = 2 * count;
    if (holes <= bitmap && holes <= array) {
      return RANGE_WITH_HOLES;
    }
    return bitmap <= array ? RANGE_WITH_BITMAP : SORTED_ARRAY;
  }
}
