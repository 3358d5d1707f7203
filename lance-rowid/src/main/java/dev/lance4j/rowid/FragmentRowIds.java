package dev.lance4j.rowid;

import org.roaringbitmap.RoaringBitmap;

/**
 * The rows of a fragment of a table with stable row ids.
 *
 * @param fragmentId the fragment
 * @param rowIds one id for each physical row
 * @param deletedOffsets the offsets of the deleted rows, or null if there are none; must not be
 *     changed any more
 */
public record FragmentRowIds(long fragmentId, RowIdSequence rowIds, RoaringBitmap deletedOffsets) {}
