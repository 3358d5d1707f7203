package dev.lance4j.index.vector.internal.search;

import dev.lance4j.rowid.RowMask;
import dev.lance4j.rowid.RowSet;

/**
 * Which rows of a partition may be found.
 *
 * @param mask of row ids; null for all rows
 * @param lower the least distance
 * @param upper the least distance that is too far
 */
public record RowFilter(RowMask<?> mask, float lower, float upper) {
  /** Everything may be found. */
  public static final RowFilter ALL =
      new RowFilter(null, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY);

  /** Whether a row at a distance may be found, if the mask selects it. */
  boolean isInRange(float distance) {
    // Without an upper bound, infinite distances are in range.
    return distance >= lower && (distance < upper || upper == Float.POSITIVE_INFINITY);
  }

  /** Whether the mask selects a row. */
  boolean selects(long rowId) {
    return mask == null || mask.selects(rowId);
  }

  /** At most how many rows the mask selects. */
  long selectable() {
    if (mask == null || !mask.allows()) {
      return Long.MAX_VALUE;
    }
    RowSet<?> rows = mask.rows();
    return rows.cardinality().orElse(Long.MAX_VALUE);
  }
}
