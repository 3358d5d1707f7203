package dev.lance4j.index.vector.internal.hnsw;

import java.util.Arrays;

/**
 * The neighbours of the rows of one level while the graph is built. Reads take no lock and may see
 * a list that is being changed, whose entries are then rows nevertheless; changes of one row's list
 * take its lock.
 */
final class Neighborhoods {
  private static final int LOCKS = 1 << 12;

  private final int capacity;
  private final boolean lowest;
  private final int[] slots;
  private final int[] rows;
  private final int[] neighbors;
  private final float[] distances;
  private final int[] sizes;
  private final Object[] locks = new Object[LOCKS];

  /**
   * Room for the lists of one level.
   *
   * @param levelOf the highest level of each row
   * @param capacity of a list
   */
  Neighborhoods(byte[] levelOf, int level, int capacity) {
    this.capacity = capacity;
    this.lowest = level == 0;
    this.rows = rows(levelOf, level);
    this.slots = lowest ? null : new int[levelOf.length];
    for (int i = 0; !lowest && i < rows.length; i++) {
      slots[rows[i]] = i;
    }
    this.neighbors = new int[Math.multiplyExact(rows.length, capacity)];
    this.distances = new float[neighbors.length];
    this.sizes = new int[rows.length];
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new Object();
    }
  }

  private static int[] rows(byte[] levelOf, int level) {
    int[] rows = new int[levelOf.length];
    int count = 0;
    for (int row = 0; row < levelOf.length; row++) {
      if (levelOf[row] >= level) {
        rows[count++] = row;
      }
    }
    return Arrays.copyOf(rows, count);
  }

  /** The rows on the level, ascending. */
  int[] rows() {
    return rows;
  }

  int capacity() {
    return capacity;
  }

  private int slot(int row) {
    return lowest ? row : slots[row];
  }

  Object lock(int row) {
    return locks[row & (LOCKS - 1)];
  }

  int size(int row) {
    return sizes[slot(row)];
  }

  int neighbor(int row, int i) {
    return neighbors[slot(row) * capacity + i];
  }

  float distance(int row, int i) {
    return distances[slot(row) * capacity + i];
  }

  /** Copies the neighbours of a row; their number. */
  int copyNeighbors(int row, int[] out) {
    int slot = slot(row);
    int size = sizes[slot];
    System.arraycopy(neighbors, slot * capacity, out, 0, size);
    return size;
  }

  /** Sets the neighbours of a row. */
  void set(int row, int[] nodes, float[] nodeDistances, int count) {
    synchronized (lock(row)) {
      int slot = slot(row);
      System.arraycopy(nodes, 0, neighbors, slot * capacity, count);
      System.arraycopy(nodeDistances, 0, distances, slot * capacity, count);
      sizes[slot] = count;
    }
  }

  /** Adds a neighbour of a row if there is room; the caller holds the lock. */
  boolean add(int row, int node, float distance) {
    int slot = slot(row);
    int size = sizes[slot];
    if (size == capacity) {
      return false;
    }
    neighbors[slot * capacity + size] = node;
    distances[slot * capacity + size] = distance;
    sizes[slot] = size + 1;
    return true;
  }

  /** The place of the farthest neighbour of a row that has one; the caller holds the lock. */
  int farthest(int row) {
    int at = slot(row) * capacity;
    int farthest = 0;
    for (int i = 1; i < size(row); i++) {
      if (distances[at + i] > distances[at + farthest]) {
        farthest = i;
      }
    }
    return farthest;
  }

  /** Puts another neighbour in place of one. */
  void replace(int row, int i, int node, float distance) {
    int at = slot(row) * capacity + i;
    neighbors[at] = node;
    distances[at] = distance;
  }

  /** The neighbours of a row and one more, the nearest first; the caller holds the lock. */
  void sorted(int row, int node, float distance, int[] nodes, float[] nodeDistances) {
    int at = slot(row) * capacity;
    int count = 0;
    int size = size(row);
    for (int i = 0; i <= size; i++) {
      int next = i < size ? neighbors[at + i] : node;
      float nextDistance = i < size ? distances[at + i] : distance;
      int place = count++;
      while (place > 0 && nodeDistances[place - 1] > nextDistance) {
        nodes[place] = nodes[place - 1];
        nodeDistances[place] = nodeDistances[place - 1];
        place--;
      }
      nodes[place] = next;
      nodeDistances[place] = nextDistance;
    }
  }
}
