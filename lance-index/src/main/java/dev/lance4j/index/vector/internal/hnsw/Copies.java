package dev.lance4j.index.vector.internal.hnsw;

import dev.lance4j.format.internal.hash.XxHash64;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.internal.search.Partition;
import java.util.Arrays;

/**
 * Rows that are stored exactly like one before them, the original. If they were inserted like
 * others, they would be each other's neighbours and lead nowhere: a search that comes upon them
 * fills up with them. So only originals are inserted, and their copies are hung on them as trees. A
 * search finds all of them, through the original, but can leave only through it.
 */
final class Copies {
  private static final int NONE = -1;

  /** More than lists of neighbours have room for. */
  private static final int MOST_ROWS = 1 << 28;

  private final Partition partition;
  private final int codeBytes;
  // Of a copy its original, of an original itself.
  private final int[] originals;

  /**
   * Finds the copies among the rows of a partition.
   *
   * @param codeBytes of one row
   */
  Copies(Partition partition, int codeBytes) {
    this.partition = partition;
    this.codeBytes = codeBytes;
    this.originals = new int[partition.size()];
    find();
  }

  /** Whether there is a row before one that is the same. Row 0 is no copy. */
  boolean isCopy(int row) {
    return originals[row] != row;
  }

  private void find() {
    int size = partition.size();
    int slots = Integer.highestOneBit(Math.min(size, MOST_ROWS)) << 2;
    int[] table = new int[slots];
    Arrays.fill(table, NONE);
    byte[] code = new byte[codeBytes];
    byte[] other = new byte[codeBytes];
    for (int row = 0; row < size; row++) {
      partition.copyCode(row, code, 0);
      int slot = (int) XxHash64.hash(code, 0, codeBytes) & (slots - 1);
      while (table[slot] != NONE && !isSame(code, table[slot], other)) {
        slot = (slot + 1) & (slots - 1);
      }
      if (table[slot] == NONE) {
        table[slot] = row;
      }
      originals[row] = table[slot];
    }
  }

  private boolean isSame(byte[] code, int row, byte[] buffer) {
    partition.copyCode(row, buffer, 0);
    return Arrays.equals(code, buffer);
  }

  /**
   * Connects copies: an original with its first copy, that one with the next {@code fanOut}, and so
   * on, in both directions. Used by one thread, when all originals are inserted.
   *
   * @param level the lowest one, with room for one more neighbour than {@code fanOut}
   */
  void connect(Neighborhoods level, Metric metric, int fanOut) {
    int size = partition.size();
    // The copy of each original that takes the next ones, and the copy after it.
    int[] parents = new int[size];
    int[] next = new int[size];
    int[] last = new int[size];
    Arrays.fill(parents, NONE);
    for (int row = 0; row < size; row++) {
      int original = originals[row];
      if (original == row) {
        continue;
      }
      float distance = partition.between(metric, original, row);
      if (parents[original] == NONE) {
        parents[original] = row;
        join(level, original, row, distance);
      } else {
        next[last[original]] = row;
        int parent = parents[original];
        if (level.size(parent) > fanOut) {
          parent = next[parent];
          parents[original] = parent;
        }
        join(level, parent, row, distance);
      }
      last[original] = row;
    }
  }

  private static void join(Neighborhoods level, int parent, int copy, float distance) {
    level.add(copy, parent, distance);
    if (!level.add(parent, copy, distance)) {
      level.replace(parent, level.farthest(parent), copy, distance);
    }
  }
}
