package dev.lance4j.write.internal.merge;

import java.util.Arrays;

/**
 * Pairs of a row of a batch of the table and a row of the source with the same key, in the order of
 * the table's rows and then of the source's, and the rows of the batch that are in no pair.
 */
final class JoinedRows {
  private static final int FIRST_CAPACITY = 16;

  private int[] target = new int[FIRST_CAPACITY];
  private int[] source = new int[FIRST_CAPACITY];
  private int size;
  private int[] unmatched = new int[FIRST_CAPACITY];
  private int unmatchedSize;

  /** Joins the rows of a batch with those of a table of keys. */
  static JoinedRows of(RowKeys target, KeyTable source) {
    int[] found = new int[target.size()];
    source.find(target, found);
    JoinedRows rows = new JoinedRows();
    for (int row = 0; row < found.length; row++) {
      if (found[row] == KeyTable.NONE) {
        rows.addUnmatched(row);
      }
      for (int other = found[row]; other != KeyTable.NONE; other = source.next(other)) {
        rows.add(row, other);
      }
    }
    return rows;
  }

  private void add(int targetRow, int sourceRow) {
    if (size == target.length) {
      target = Arrays.copyOf(target, 2 * size);
      source = Arrays.copyOf(source, 2 * size);
    }
    target[size] = targetRow;
    source[size++] = sourceRow;
  }

  private void addUnmatched(int row) {
    if (unmatchedSize == unmatched.length) {
      unmatched = Arrays.copyOf(unmatched, 2 * unmatchedSize);
    }
    unmatched[unmatchedSize++] = row;
  }

  /** The number of pairs. */
  int size() {
    return size;
  }

  /** The table's row of pair {@code i}, as its position in the batch. */
  int target(int i) {
    return target[i];
  }

  /** The source's row of pair {@code i}. */
  int source(int i) {
    return source[i];
  }

  int[] targets() {
    return Arrays.copyOf(target, size);
  }

  /** The rows of the batch that are in a pair, each once, ascending. */
  int[] matched() {
    int[] rows = new int[size];
    int n = 0;
    for (int i = 0; i < size; i++) {
      if (i == 0 || target[i] != target[i - 1]) {
        rows[n++] = target[i];
      }
    }
    return Arrays.copyOf(rows, n);
  }

  int[] sources() {
    return Arrays.copyOf(source, size);
  }

  /** The rows of the batch without a partner, ascending. */
  int[] unmatched() {
    return Arrays.copyOf(unmatched, unmatchedSize);
  }
}
