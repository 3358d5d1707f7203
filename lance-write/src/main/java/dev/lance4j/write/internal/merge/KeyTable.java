package dev.lance4j.write.internal.merge;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Finds the rows of a source by their keys: an open hash table whose slots hold the first row of
 * each key, from which the other rows of that key are chained in their order. Null keys are not in
 * it.
 */
abstract sealed class KeyTable permits LongKeyTable, BytesKeyTable {
  /** No row. */
  static final int NONE = -1;

  private static final int LEAST_SLOTS = 16;

  /** The first row of the key of each slot, or {@link #NONE}. */
  final int[] slots;

  private final int[] next;
  private final BitSet skipped = new BitSet();
  private final boolean firstOnly;

  /**
   * @param rows how many there are
   * @param firstOnly whether only the first row of each key counts
   */
  KeyTable(int rows, boolean firstOnly) {
    int size = Math.max(LEAST_SLOTS, Integer.highestOneBit(Math.max(1, rows)) << 2);
    this.slots = new int[size > 0 ? size : 1 << 30];
    this.next = firstOnly ? null : new int[rows];
    this.firstOnly = firstOnly;
    Arrays.fill(slots, NONE);
  }

  /** Puts a row before those of its key that are in the table already. */
  final void put(int slot, int row) {
    if (firstOnly) {
      if (slots[slot] != NONE) {
        skipped.set(slots[slot]);
      }
    } else {
      next[row] = slots[slot];
    }
    slots[slot] = row;
  }

  /** The next row with the same key, or {@link #NONE}. */
  final int next(int row) {
    return firstOnly ? NONE : next[row];
  }

  /** The rows that do not count because an earlier one has the same key. */
  final BitSet skipped() {
    return skipped;
  }

  /**
   * Looks keys up.
   *
   * @param keys of the same columns as those of the table
   * @param found takes for each key the first row that has it, or {@link #NONE}
   */
  abstract void find(RowKeys keys, int[] found);
}
