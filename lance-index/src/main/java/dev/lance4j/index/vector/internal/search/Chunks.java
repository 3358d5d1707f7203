package dev.lance4j.index.vector.internal.search;

/**
 * Rows of equal width in several arrays, since one is limited to 2^31 values.
 *
 * @param rows in all
 * @param width values of a row
 * @param shift every array but the last has 2 to the power of this rows
 */
record Chunks(int rows, int width, int shift) {
  private static final int MAX_VALUES = 1 << 22;

  /** Divides rows so that arrays have at most some four million values. */
  static Chunks of(int rows, int width) {
    int perChunk = Integer.highestOneBit(Math.max(1, MAX_VALUES / Math.max(1, width)));
    return new Chunks(rows, width, Integer.numberOfTrailingZeros(perChunk));
  }

  /** The number of arrays. */
  int count() {
    return (int) (((long) rows + (1L << shift) - 1) >>> shift);
  }

  /** The number of rows in an array. */
  int rowsOf(int chunk) {
    return Math.min(1 << shift, rows - (chunk << shift));
  }

  /** The array that holds a row. */
  int chunk(int row) {
    return row >>> shift;
  }

  /** The place of a row's first value in its array. */
  int at(int row) {
    return (row & ((1 << shift) - 1)) * width;
  }

  /** How many of {@code count} rows from {@code row} on are in one array. */
  int together(int row, int count) {
    return Math.min(count, (1 << shift) - (row & ((1 << shift) - 1)));
  }
}
