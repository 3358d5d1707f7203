package dev.lance4j.index.vector.internal.hnsw;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.internal.search.Partition;
import java.util.Arrays;

/**
 * Connects the rows of the lowest level so that every row leads to row 0, and row 0 to every row.
 * Insertion alone does not see to that: a row is forgotten when all its neighbours find others that
 * are nearer, as happens most where many vectors are the same. Used by one thread.
 */
final class Reachability {
  private static final int NONE = -1;

  private final Neighborhoods level;
  private final Partition partition;
  private final Metric metric;
  private final int size;
  // For each row the neighbour that leads to row 0, and the row that it is reached from.
  private final int[] towards;
  private final int[] from;
  private final int[] queue;
  private int queued;
  private int done;

  Reachability(Neighborhoods level, Partition partition, Metric metric) {
    this.level = level;
    this.partition = partition;
    this.metric = metric;
    this.size = partition.size();
    this.towards = new int[size];
    this.from = new int[size];
    this.queue = new int[size];
  }

  /** Adds connections where they are missing, in place of the farthest others if need be. */
  void establish() {
    Arrays.fill(towards, NONE);
    Arrays.fill(from, NONE);
    findTowards();
    int[] walks = new int[size];
    for (int row = 1; row < size; row++) {
      lead(row, walks);
    }
    reach(0, 0);
    for (int row = 1; row < size; row++) {
      if (from[row] == NONE) {
        int source = source(row);
        if (source != NONE) {
          connect(source, row);
          reach(row, source);
        }
      }
    }
  }

  /** Finds rows that lead to row 0, over others that do. */
  private void findTowards() {
    towards[0] = 0;
    boolean found = true;
    while (found) {
      found = false;
      for (int row = 0; row < size; row++) {
        for (int i = 0; towards[row] == NONE && i < level.size(row); i++) {
          if (towards[level.neighbor(row, i)] != NONE) {
            towards[row] = level.neighbor(row, i);
            found = true;
          }
        }
      }
    }
  }

  /**
   * Walks from a row to one that leads to row 0, or as far as there are other rows, the last of
   * which is connected with row 0.
   *
   * @param walks where each row was passed last
   */
  private void lead(int start, int[] walks) {
    int row = start;
    while (towards[row] == NONE) {
      walks[row] = start;
      int next = onward(row, walks);
      if (next == NONE) {
        next = 0;
        connect(row, next);
      }
      towards[row] = next;
      row = next;
    }
  }

  /** A neighbour that leads to row 0, or else one that this walk did not pass; if there is one. */
  private int onward(int row, int[] walks) {
    int onward = NONE;
    for (int i = 0; i < level.size(row); i++) {
      int neighbor = level.neighbor(row, i);
      if (walks[neighbor] != walks[row]) {
        onward = neighbor;
        if (towards[neighbor] != NONE) {
          break;
        }
      }
    }
    return onward;
  }

  /** Notes the rows that can be reached from one on. */
  private void reach(int start, int source) {
    from[start] = source;
    queue[queued++] = start;
    while (done < queued) {
      int row = queue[done++];
      for (int i = 0; i < level.size(row); i++) {
        int neighbor = level.neighbor(row, i);
        if (from[neighbor] == NONE) {
          from[neighbor] = row;
          queue[queued++] = neighbor;
        }
      }
    }
  }

  /** A row that is reached and can take another neighbour, near to one if possible. */
  private int source(int row) {
    for (int i = 0; i < level.size(row); i++) {
      int neighbor = level.neighbor(row, i);
      if (from[neighbor] != NONE && hasRoom(neighbor)) {
        return neighbor;
      }
    }
    for (int i = queued - 1; i >= 0; i--) {
      if (hasRoom(queue[i])) {
        return queue[i];
      }
    }
    return NONE;
  }

  private boolean hasRoom(int row) {
    return level.size(row) < level.capacity() || farthestSpare(row) != NONE;
  }

  private void connect(int row, int neighbor) {
    float distance = partition.between(metric, row, neighbor);
    if (!level.add(row, neighbor, distance)) {
      level.replace(row, farthestSpare(row), neighbor, distance);
    }
  }

  /** The farthest neighbour that neither is reached from the row nor leads on to row 0. */
  private int farthestSpare(int row) {
    int farthest = NONE;
    for (int i = 0; i < level.size(row); i++) {
      int neighbor = level.neighbor(row, i);
      boolean isSpare = neighbor != towards[row] && from[neighbor] != row;
      if (isSpare && (farthest == NONE || level.distance(row, i) > level.distance(row, farthest))) {
        farthest = i;
      }
    }
    return farthest;
  }
}
