package dev.lance4j.format.internal.v21.codec;

/** Runs of a chunk's items, at least one, in ascending order and without overlaps. Immutable. */
public final class ItemRuns {
  private final int[] starts;
  private final int[] ends;
  private final int first;
  private final int size;

  /**
   * @param starts the first item of each run
   * @param ends the item after the last one of each run
   * @param first the index of the first run in both arrays, which are not copied
   * @param size the number of runs
   */
  public ItemRuns(int[] starts, int[] ends, int first, int size) {
    this.starts = starts;
    this.ends = ends;
    this.first = first;
    this.size = size;
  }

  /** One run of the first {@code count} items. */
  static ItemRuns all(int count) {
    return new ItemRuns(new int[] {0}, new int[] {count}, 0, 1);
  }

  /** The number of runs. */
  int size() {
    return size;
  }

  /** The first item of run {@code i}. */
  int start(int i) {
    return starts[first + i];
  }

  /** The item after the last one of run {@code i}. */
  int end(int i) {
    return ends[first + i];
  }

  /** The number of items in all runs. */
  int items() {
    int items = 0;
    for (int i = first; i < first + size; i++) {
      items += ends[i] - starts[i];
    }
    return items;
  }

  /** The first item of all. */
  int from() {
    return start(0);
  }

  /** The item after the last one of all. */
  int to() {
    return end(size - 1);
  }
}
