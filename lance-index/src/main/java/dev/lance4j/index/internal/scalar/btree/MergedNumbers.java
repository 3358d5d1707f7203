package dev.lance4j.index.internal.scalar.btree;

import java.util.List;

/**
 * Runs merged into one: of rows with equal keys those of earlier runs come first. For use by one
 * thread.
 */
final class MergedNumbers implements AutoCloseable {
  private final List<? extends NumberRun> runs;
  // A heap of the runs that are not at their end, the one with the next row first.
  private final NumberRun[] heap;
  private final int[] order;
  private int size = -1;
  private boolean isNull;

  /**
   * @param runs closed with this
   */
  MergedNumbers(List<? extends NumberRun> runs) {
    this.runs = runs;
    this.heap = new NumberRun[runs.size()];
    this.order = new int[runs.size()];
  }

  /**
   * Gives the next rows, either all with a value or all without.
   *
   * @param keys for the keys of the rows
   * @param rows for the numbers of the rows
   * @return how many rows; 0 at the end
   */
  int next(long[] keys, long[] rows) {
    if (size < 0) {
      start();
    }
    if (size == 0) {
      return 0;
    }
    isNull = heap[0].isNull;
    return size == 1 ? copy(keys, rows) : merge(keys, rows);
  }

  /** Whether the rows that were given last have no value. */
  boolean isNull() {
    return isNull;
  }

  private void start() {
    size = 0;
    for (int i = 0; i < heap.length; i++) {
      if (runs.get(i).load()) {
        heap[size] = runs.get(i);
        order[size++] = i;
      }
    }
    for (int i = size / 2 - 1; i >= 0; i--) {
      sink(i);
    }
  }

  /** The next rows of the only run that is left. */
  private int copy(long[] keys, long[] rows) {
    NumberRun run = heap[0];
    int count = Math.min(rows.length, run.end - run.at);
    System.arraycopy(run.rows, run.at, rows, 0, count);
    if (!isNull) {
      System.arraycopy(run.keys, run.at, keys, 0, count);
    }
    run.at += count - 1;
    if (!run.advance()) {
      size = 0;
    }
    return count;
  }

  private int merge(long[] keys, long[] rows) {
    int count = 0;
    while (count < rows.length && size > 0 && heap[0].isNull == isNull) {
      NumberRun run = heap[0];
      rows[count] = run.rows[run.at];
      if (!isNull) {
        keys[count] = run.keys[run.at];
      }
      count++;
      if (!run.advance()) {
        size--;
        heap[0] = heap[size];
        order[0] = order[size];
      }
      sink(0);
    }
    return count;
  }

  private void sink(int from) {
    int at = from;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && isBefore(child + 1, child)) {
        child++;
      }
      if (!isBefore(child, at)) {
        return;
      }
      NumberRun run = heap[at];
      heap[at] = heap[child];
      heap[child] = run;
      int number = order[at];
      order[at] = order[child];
      order[child] = number;
      at = child;
    }
  }

  private boolean isBefore(int i, int j) {
    NumberRun a = heap[i];
    NumberRun b = heap[j];
    if (a.isNull != b.isNull) {
      return a.isNull;
    }
    if (a.isNull) {
      return order[i] < order[j];
    }
    long left = a.keys[a.at];
    long right = b.keys[b.at];
    return left < right || (left == right && order[i] < order[j]);
  }

  @Override
  public void close() {
    RuntimeException failure = null;
    for (NumberRun run : runs) {
      try {
        run.close();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
