package dev.lance4j.format.internal.v21.write;

import java.util.Arrays;

/** Indices of an array in the order in which they are wanted, as runs of neighbours. */
final class Runs {
  private int[] starts = new int[1];
  private int[] lengths = new int[1];
  private int size;
  private int total;

  static Runs of(int start, int length) {
    Runs runs = new Runs();
    runs.add(start, length);
    return runs;
  }

  /** Adds a run; one that continues the run before is joined with it. */
  void add(int start, int length) {
    if (length == 0) {
      return;
    }
    total = Math.addExact(total, length);
    if (size > 0 && starts[size - 1] + lengths[size - 1] == start) {
      lengths[size - 1] += length;
      return;
    }
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, size * 2);
      lengths = Arrays.copyOf(lengths, size * 2);
    }
    starts[size] = start;
    lengths[size] = length;
    size++;
  }

  /** The number of runs. */
  int size() {
    return size;
  }

  int start(int run) {
    return starts[run];
  }

  int length(int run) {
    return lengths[run];
  }

  /** The number of indices in all runs. */
  int total() {
    return total;
  }

  /** The runs of the items of fixed-size lists at these indices. */
  Runs scaled(int dimension) {
    Runs scaled = new Runs();
    for (int r = 0; r < size; r++) {
      scaled.add(
          Math.multiplyExact(starts[r], dimension), Math.multiplyExact(lengths[r], dimension));
    }
    return scaled;
  }

  Cursor cursor() {
    return new Cursor();
  }

  /** Walks the indices one by one. */
  final class Cursor {
    private int run = -1;
    private int next;
    private int end;

    /** The next index; there must be one. */
    int next() {
      if (next == end) {
        run++;
        next = starts[run];
        end = next + lengths[run];
      }
      return next++;
    }
  }
}
