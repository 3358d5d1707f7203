package dev.lance4j.scan.internal.read;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.column.ReadGroup;
import dev.lance4j.scan.internal.column.VirtualColumn;
import java.util.List;

/**
 * Rows of one fragment and what was read of them so far, by slot. Owns its arrays. For use by one
 * thread.
 */
public final class RowBatch implements AutoCloseable {
  private final ScanFragment fragment;
  private final RowRanges all;
  private final int[] chosen;
  private final ArrayData[] arrays;
  private RowRanges offsets;

  /**
   * Rows of which nothing is read yet.
   *
   * @param slots how many arrays there may be
   */
  public RowBatch(ScanFragment fragment, RowRanges offsets, int slots) {
    this(fragment, offsets, null, slots);
  }

  private RowBatch(ScanFragment fragment, RowRanges all, int[] chosen, int slots) {
    this.fragment = fragment;
    this.all = all;
    this.chosen = chosen;
    this.arrays = new ArrayData[slots];
  }

  /**
   * Some of the rows, of which nothing is read yet.
   *
   * @param rows their positions, ascending
   */
  public RowBatch choose(int[] rows) {
    return new RowBatch(fragment, offsets(), rows, arrays.length);
  }

  /** Where the rows are. */
  public ScanFragment fragment() {
    return fragment;
  }

  /** Where memory comes from, among others. */
  public Scan.Source source() {
    return fragment.source();
  }

  /** The number of rows. */
  public int rows() {
    return chosen == null ? (int) all.rows() : chosen.length;
  }

  /** The rows' offsets in the fragment. */
  public RowRanges offsets() {
    if (chosen == null) {
      return all;
    }
    if (offsets == null) {
      offsets = pick(all, chosen);
    }
    return offsets;
  }

  private static RowRanges pick(RowRanges ranges, int[] positions) {
    long[] picked = new long[positions.length];
    int range = 0;
    long before = 0;
    for (int i = 0; i < positions.length; i++) {
      while (positions[i] - before >= ranges.end(range) - ranges.start(range)) {
        before += ranges.end(range) - ranges.start(range);
        range++;
      }
      picked[i] = ranges.start(range) + positions[i] - before;
    }
    return RowRanges.ofSortedRows(picked);
  }

  /** Puts an array of all rows into a slot that is empty; it is owned by the batch from now on. */
  public void put(int slot, ArrayData array) {
    arrays[slot] = array;
  }

  /** Puts the arrays of a group into its slots. */
  public void put(ReadGroup group, List<ArrayData> columns) {
    for (int i = 0; i < columns.size(); i++) {
      put(group.firstSlot() + i, columns.get(i));
    }
  }

  /** What is in a slot; stays owned by the batch. */
  public ArrayData array(int slot) {
    return arrays[slot];
  }

  /** The values of a virtual column, owned by the caller. */
  public ArrayData virtual(VirtualColumn column) {
    return fragment.virtual(column, offsets());
  }

  @Override
  public void close() {
    for (int i = 0; i < arrays.length; i++) {
      if (arrays[i] != null) {
        arrays[i].close();
        arrays[i] = null;
      }
    }
  }
}
