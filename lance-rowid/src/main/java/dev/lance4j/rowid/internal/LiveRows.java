package dev.lance4j.rowid.internal;

import dev.lance4j.rowid.RowAddress;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * A segment of a fragment's row ids together with where its rows are and which of them are deleted.
 */
public final class LiveRows {
  private static final int BATCH = 1024;

  private final U64Segment segment;
  private final long firstAddress;
  private final int firstOffset;
  // Null if none of the rows is deleted.
  private final RoaringBitmap deleted;
  private final long live;

  /**
   * @param firstAddress the row address of the first value
   * @param firstOffset the offset of the first value in its fragment
   * @param deletedOffsets of the fragment; null if none is
   */
  public LiveRows(
      U64Segment segment, long firstAddress, long firstOffset, RoaringBitmap deletedOffsets) {
    this.segment = segment;
    this.firstAddress = firstAddress;
    this.firstOffset = (int) firstOffset;
    long end = firstOffset + segment.length();
    long dead = deletedOffsets == null ? 0 : deletedOffsets.rangeCardinality(firstOffset, end);
    this.deleted = dead == 0 ? null : deletedOffsets;
    this.live = segment.length() - dead;
  }

  U64Segment segment() {
    return segment;
  }

  /** The number of rows that are not deleted. */
  long live() {
    return live;
  }

  /**
   * The address of the row with an id, or {@link RowAddress#NONE} if it is not among these or is
   * deleted.
   */
  public long rowAddress(long rowId) {
    long position = segment.position(rowId);
    if (position < 0 || (deleted != null && deleted.contains(firstOffset + (int) position))) {
      return RowAddress.NONE;
    }
    return firstAddress + position;
  }

  /** Takes a row. */
  interface Visitor {
    void row(long rowId, long rowAddress);
  }

  /** Shows all rows that are not deleted, in their order. */
  void forEach(Visitor visitor) {
    long length = segment.length();
    long[] batch = new long[(int) Math.min(BATCH, length)];
    PeekableIntIterator dead = new RoaringBitmap().getIntIterator();
    if (deleted != null) {
      dead = deleted.getIntIterator();
      dead.advanceIfNeeded(firstOffset);
    }
    for (long from = 0; from < length; from += batch.length) {
      int count = (int) Math.min(batch.length, length - from);
      segment.copy(from, count, batch, 0);
      for (int i = 0; i < count; i++) {
        long position = from + i;
        if (dead.hasNext() && dead.peekNext() == firstOffset + (int) position) {
          dead.next();
        } else {
          visitor.row(batch[i], firstAddress + position);
        }
      }
    }
  }
}
