package dev.lance4j.index.vector.internal.search;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The nearest rows seen so far, at most a number of them. Of rows at the same distance those with
 * the lesser ids are nearer.
 */
public final class TopRows {
  private final int capacity;
  // A heap with the farthest row first.
  private float[] distances;
  private long[] rowIds;
  private int size;

  /** Keeps up to {@code capacity} rows. */
  public TopRows(int capacity) {
    this.capacity = capacity;
    int initial = Math.min(capacity, 64);
    this.distances = new float[initial];
    this.rowIds = new long[initial];
  }

  /** The number of rows kept. */
  public int size() {
    return size;
  }

  /** The ids of the rows kept, in no order. */
  public LongStream rowIds() {
    return Arrays.stream(rowIds, 0, size);
  }

  /** The most rows that are kept. */
  public int capacity() {
    return capacity;
  }

  /** A distance above which no row would be kept. */
  public float limit() {
    return size < capacity ? Float.POSITIVE_INFINITY : distances[0];
  }

  /** Whether {@link #offer} would keep a row. */
  public boolean wants(float distance, long rowId) {
    if (size < capacity) {
      return !Float.isNaN(distance);
    }
    return capacity > 0 && isFarther(distances[0], rowIds[0], distance, rowId);
  }

  /** Keeps a row if it is near enough; a distance that is not a number never is. */
  public void offer(float distance, long rowId) {
    if (!wants(distance, rowId)) {
      return;
    }
    if (size < capacity) {
      if (size == distances.length) {
        int larger = (int) Math.min(capacity, 2L * size);
        distances = Arrays.copyOf(distances, larger);
        rowIds = Arrays.copyOf(rowIds, larger);
      }
      size++;
      siftUp(size - 1, distance, rowId);
    } else {
      siftDown(size, distance, rowId);
    }
  }

  private static boolean isFarther(float a, long aId, float b, long bId) {
    return a > b || (a == b && Long.compareUnsigned(aId, bId) > 0);
  }

  private void siftUp(int from, float distance, long rowId) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) / 2;
      if (!isFarther(distance, rowId, distances[parent], rowIds[parent])) {
        break;
      }
      distances[at] = distances[parent];
      rowIds[at] = rowIds[parent];
      at = parent;
    }
    distances[at] = distance;
    rowIds[at] = rowId;
  }

  /** Puts a row in place of the first one of a heap of {@code length} rows. */
  private void siftDown(int length, float distance, long rowId) {
    int at = 0;
    for (int child = 1; child < length; child = 2 * at + 1) {
      int other = child + 1;
      if (other < length
          && isFarther(distances[other], rowIds[other], distances[child], rowIds[child])) {
        child = other;
      }
      if (!isFarther(distances[child], rowIds[child], distance, rowId)) {
        break;
      }
      distances[at] = distances[child];
      rowIds[at] = rowIds[child];
      at = child;
    }
    distances[at] = distance;
    rowIds[at] = rowId;
  }

  /** Offers all rows that others keep. */
  public void addAll(TopRows that) {
    for (int i = 0; i < that.size; i++) {
      offer(that.distances[i], that.rowIds[i]);
    }
  }

  /**
   * Sorts the rows, the nearest first. No row may be offered afterwards.
   *
   * @param sortedDistances takes {@link #size} distances
   * @param sortedRowIds takes their ids
   */
  public void drain(float[] sortedDistances, long[] sortedRowIds) {
    for (int left = size; left > 0; left--) {
      sortedDistances[left - 1] = distances[0];
      sortedRowIds[left - 1] = rowIds[0];
      siftDown(left - 1, distances[left - 1], rowIds[left - 1]);
    }
    size = 0;
  }
}
