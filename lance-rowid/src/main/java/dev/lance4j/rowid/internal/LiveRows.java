package dev.lance4j.rowid.internal;

import dev.lance4j.rowid.RowAddress;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * A segment of a fragment's row ids together with where its rows are and which of them are deleted.
 */
public final class LiveRows {
  private static final int BATCH = 1024;
  private static final int OBJECT_BYTES = 56;

  private final U64Segment segment;
  private final long firstAddress;
  private final int firstOffset;
  // Null if none of the rows is deleted.
  private final RoaringBitmap deleted;
  // The same as bits by position, if the deleted rows are so many that this is about as small.
  private final long[] deletedBits;
  private final long live;

  /**
   * The rows of a segment.
   *
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
    this.deletedBits = null;
  }

  private LiveRows(LiveRows rows, long[] deletedBits) {
    this.segment = rows.segment;
    this.firstAddress = rows.firstAddress;
    this.firstOffset = rows.firstOffset;
    this.deleted = rows.deleted;
    this.live = rows.live;
    this.deletedBits = deletedBits;
  }

  /** The same rows, prepared for many look-ups. */
  LiveRows prepared() {
    long length = segment.length();
    if ((length - live) * Long.SIZE < length) {
      return this;
    }
    long[] bits = RankedBits.words(length);
    PeekableIntIterator dead = deleted.getIntIterator();
    dead.advanceIfNeeded(firstOffset);
    while (dead.hasNext() && Integer.toUnsignedLong(dead.peekNext() - firstOffset) < length) {
      RankedBits.set(bits, Integer.toUnsignedLong(dead.next() - firstOffset));
    }
    return new LiveRows(this, bits);
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
    return position < 0 || isDeleted(position) ? RowAddress.NONE : firstAddress + position;
  }

  private boolean isDeleted(long position) {
    if (deletedBits != null) {
      return RankedBits.get(deletedBits, position);
    }
    return deleted != null && deleted.contains(firstOffset + (int) position);
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

  /** Bytes of memory, without the bitmap of the fragment's deleted rows. */
  long memoryBytes() {
    return OBJECT_BYTES
        + segment.memoryBytes()
        + (deletedBits == null ? 0 : 8L * deletedBits.length);
  }
}
