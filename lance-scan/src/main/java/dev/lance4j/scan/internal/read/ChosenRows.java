package dev.lance4j.scan.internal.read;

import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.table.DeletionVector;
import java.util.Arrays;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/** Some of the live rows of a fragment. Immutable. */
public final class ChosenRows {
  private final RoaringBitmap offsets;

  private ChosenRows(RoaringBitmap offsets) {
    this.offsets = offsets;
  }

  /**
   * The rows of a fragment that a mask selects and that are not deleted.
   *
   * @param physicalRows the number of rows of the fragment, deleted ones included; where there are
   *     no rows the mask may select what it likes
   */
  public static ChosenRows of(
      RowMask<RowAddressSet> mask, long fragmentId, long physicalRows, DeletionVector deletions) {
    RoaringBitmap named = mask.rows().offsets(fragmentId, physicalRows);
    RoaringBitmap offsets = named;
    if (!mask.allows()) {
      offsets = new RoaringBitmap();
      offsets.add(0L, physicalRows);
      offsets.andNot(named);
    }
    if (!deletions.isEmpty()) {
      offsets.andNot(deletions.offsets());
    }
    return new ChosenRows(offsets);
  }

  /** Whether a mask may select a row of a fragment. */
  public static boolean mayBeIn(long fragmentId, RowMask<RowAddressSet> mask) {
    return !mask.allows() || Arrays.binarySearch(mask.rows().fragmentIds(), fragmentId) >= 0;
  }

  /** The number of rows. */
  public long rows() {
    return offsets.getLongCardinality();
  }

  /**
   * The offsets of some of the rows in the fragment.
   *
   * @param from the number of rows before the first one
   * @param to the number of rows before the end; greater than {@code from}
   */
  public RowRanges offsets(long from, long to) {
    int most = Math.toIntExact(to - from);
    long[] starts = new long[most];
    long[] ends = new long[most];
    PeekableIntIterator next = offsets.getIntIterator();
    next.advanceIfNeeded(offsets.select((int) from));
    int n = 0;
    for (int i = 0; i < most; i++) {
      long offset = Integer.toUnsignedLong(next.next());
      if (n > 0 && ends[n - 1] == offset) {
        ends[n - 1]++;
      } else {
        starts[n] = offset;
        ends[n++] = offset + 1;
      }
    }
    return RowRanges.of(Arrays.copyOf(starts, n), Arrays.copyOf(ends, n));
  }
}
