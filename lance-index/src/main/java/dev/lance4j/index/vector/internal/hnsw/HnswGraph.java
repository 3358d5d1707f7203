package dev.lance4j.index.vector.internal.hnsw;

import java.util.Arrays;

/**
 * The graph of one partition: on each level some of its rows, each with the rows near to it. Level
 * 0 has all rows. Immutable.
 */
public final class HnswGraph {
  private final Level[] levels;
  private final int entryPoint;

  /**
   * A graph.
   *
   * @param levels from level 0 on
   * @param entryPoint where searches start
   */
  public HnswGraph(Level[] levels, int entryPoint) {
    this.levels = levels;
    this.entryPoint = entryPoint;
  }

  /** The number of levels. */
  public int levels() {
    return levels.length;
  }

  /** A level, from 0 on. */
  public Level level(int i) {
    return levels[i];
  }

  /** Where searches start. */
  public int entryPoint() {
    return entryPoint;
  }

  /** How many bytes of memory the graph takes. */
  public long memoryBytes() {
    long bytes = 0;
    for (Level level : levels) {
      bytes += (long) Integer.BYTES * (level.offsets.length + level.neighbors.length);
    }
    return bytes;
  }

  /** The neighbours of the rows on one level. */
  public static final class Level {
    private final int[] slots;
    private final int[] slotRows;
    private final int[] offsets;
    private final int[] neighbors;

    /**
     * A level.
     *
     * @param rows that are on it; of equal ones the last counts. Null if they are all rows in their
     *     order
     * @param offsets where the neighbours of each begin, and where the last ones end
     * @param neighbors of all
     */
    public Level(int[] rows, int[] offsets, int[] neighbors) {
      this.offsets = offsets;
      this.neighbors = neighbors;
      if (rows == null) {
        this.slots = null;
        this.slotRows = null;
        return;
      }
      int capacity = Integer.highestOneBit(Math.max(1, rows.length)) * 4;
      this.slots = new int[capacity];
      this.slotRows = new int[capacity];
      Arrays.fill(slots, -1);
      for (int i = 0; i < rows.length; i++) {
        int slot = slot(rows[i]);
        slotRows[slot] = rows[i];
        slots[slot] = i;
      }
    }

    /** The slot of a row in the table of places, or the empty one where it would be. */
    private int slot(int row) {
      int mask = slots.length - 1;
      int slot = (row * 0x9E3779B9) >>> 7 & mask;
      while (slots[slot] >= 0 && slotRows[slot] != row) {
        slot = (slot + 1) & mask;
      }
      return slot;
    }

    /** The place of a row on the level, or -1 if it is not there. */
    public int place(int row) {
      return slots == null ? row : slots[slot(row)];
    }

    public int start(int place) {
      return offsets[place];
    }

    public int end(int place) {
      return offsets[place + 1];
    }

    public int neighbor(int i) {
      return neighbors[i];
    }
  }
}
