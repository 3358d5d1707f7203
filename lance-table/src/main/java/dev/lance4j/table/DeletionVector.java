package dev.lance4j.table;

import dev.lance4j.format.internal.page.RowRanges;
import java.util.Arrays;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * The deleted rows of a fragment, as offsets into its files. Immutable.
 *
 * <p>Small vectors are stored as arrays and large ones as bitmaps; a vector that became a bitmap
 * stays one.
 */
public final class DeletionVector {
  /** No row is deleted. */
  public static final DeletionVector NONE =
      new DeletionVector(new RoaringBitmap(), DeletionFile.Form.ARROW_ARRAY);

  private static final int ARRAY_LIMIT = 5000;

  private final RoaringBitmap deleted;
  private final DeletionFile.Form form;
  private final long cardinality;

  private DeletionVector(RoaringBitmap deleted, DeletionFile.Form form) {
    this.deleted = deleted;
    this.form = form;
    this.cardinality = deleted.getLongCardinality();
  }

  /**
   * A vector that is stored in a given form.
   *
   * @param offsets the deleted offsets, unsigned; copied
   */
  public static DeletionVector of(RoaringBitmap offsets, DeletionFile.Form form) {
    return offsets.isEmpty() ? NONE : new DeletionVector(offsets.clone(), form);
  }

  /**
   * This vector with more deleted rows.
   *
   * @param offsets which may be in it already
   */
  public DeletionVector plus(RoaringBitmap offsets) {
    if (offsets.isEmpty()) {
      return this;
    }
    RoaringBitmap union = RoaringBitmap.or(deleted, offsets);
    return new DeletionVector(union, formOf(union.getLongCardinality()));
  }

  private DeletionFile.Form formOf(long size) {
    // What is deleted at once becomes a bitmap one row earlier than what grows to that size.
    boolean small = isEmpty() ? size < ARRAY_LIMIT : size <= ARRAY_LIMIT;
    return small && form == DeletionFile.Form.ARROW_ARRAY
        ? DeletionFile.Form.ARROW_ARRAY
        : DeletionFile.Form.BITMAP;
  }

  /** How the vector is stored. */
  public DeletionFile.Form form() {
    return form;
  }

  public boolean isEmpty() {
    return cardinality == 0;
  }

  /** The number of deleted rows. */
  public long cardinality() {
    return cardinality;
  }

  /** About how many bytes of memory this takes. */
  public long memoryBytes() {
    return 64 + deleted.getLongSizeInBytes();
  }

  /** Whether the row at an offset is deleted. */
  public boolean contains(long offset) {
    return deleted.contains((int) offset);
  }

  /** The deleted offsets, unsigned; the caller owns the set. */
  public RoaringBitmap offsets() {
    return deleted.clone();
  }

  /** The deleted offsets, unsigned, as they are kept here; must not be changed. */
  RoaringBitmap shared() {
    return deleted;
  }

  /** The number of deleted rows before an offset. */
  public long deletedBefore(long offset) {
    return offset == 0 ? 0 : deleted.rankLong((int) (offset - 1));
  }

  /** The highest deleted offset, or -1. */
  public long last() {
    return isEmpty() ? -1 : Integer.toUnsignedLong(deleted.last());
  }

  /**
   * The offset of a live row.
   *
   * @param live the number of live rows before it
   */
  public long offsetOf(long live) {
    long low = 0;
    long high = cardinality;
    while (low < high) {
      long mid = (low + high) >>> 1;
      if (deletedAt(mid) - mid <= live) {
        low = mid + 1;
      } else {
        high = mid;
      }
    }
    return live + low;
  }

  private long deletedAt(long index) {
    return Integer.toUnsignedLong(deleted.select((int) index));
  }

  /** The live rows from offset {@code from} (inclusive) to {@code to} (exclusive). */
  public RowRanges liveRanges(long from, long to) {
    if (isEmpty()) {
      return RowRanges.of(from, to);
    }
    Ranges ranges = new Ranges();
    PeekableIntIterator next = deleted.getIntIterator();
    appendLive(from, to - from, to, next, ranges);
    return ranges.build();
  }

  /**
   * Translates rows that are counted without the deleted ones into offsets.
   *
   * @param live ranges of row numbers
   */
  public RowRanges toOffsets(RowRanges live) {
    if (isEmpty()) {
      return live;
    }
    Ranges ranges = new Ranges();
    PeekableIntIterator next = deleted.getIntIterator();
    for (int i = 0; i < live.size(); i++) {
      long rows = live.end(i) - live.start(i);
      appendLive(offsetOf(live.start(i)), rows, Long.MAX_VALUE, next, ranges);
    }
    return ranges.build();
  }

  /** Appends at most {@code rows} live rows from an offset on, none from {@code end} on. */
  private static void appendLive(
      long from, long rows, long end, PeekableIntIterator next, Ranges ranges) {
    long at = from;
    long left = rows;
    if (at <= 0xFFFF_FFFFL) {
      next.advanceIfNeeded((int) at);
    }
    while (left > 0 && at < end) {
      long hole = next.hasNext() ? Integer.toUnsignedLong(next.peekNext()) : Long.MAX_VALUE;
      long count = Math.min(left, Math.min(hole, end) - at);
      if (count > 0) {
        ranges.add(at, at + count);
        at += count;
        left -= count;
      }
      if (at == hole) {
        next.next();
        at++;
      }
    }
  }

  /** Ranges being collected. */
  private static final class Ranges {
    private long[] starts = new long[16];
    private long[] ends = new long[16];
    private int size;

    void add(long start, long end) {
      if (size == starts.length) {
        starts = Arrays.copyOf(starts, size * 2);
        ends = Arrays.copyOf(ends, size * 2);
      }
      starts[size] = start;
      ends[size++] = end;
    }

    RowRanges build() {
      return RowRanges.of(Arrays.copyOf(starts, size), Arrays.copyOf(ends, size));
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DeletionVector vector
        && form == vector.form
        && deleted.equals(vector.deleted);
  }

  @Override
  public int hashCode() {
    return deleted.hashCode();
  }

  @Override
  public String toString() {
    return cardinality + " deleted rows (" + form + ")";
  }
}
