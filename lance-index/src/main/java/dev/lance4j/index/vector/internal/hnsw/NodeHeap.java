package dev.lance4j.index.vector.internal.hnsw;

import java.util.Arrays;

/**
 * Rows with their distances, as a heap. Of rows at the same distance those with lesser numbers come
 * first.
 */
public final class NodeHeap {
  // The order of a row's distance above, its number below: one comparison tells which comes first.
  private long[] entries;
  private final int flip;
  private int size;

  private NodeHeap(int flip, int capacity) {
    this.flip = flip;
    this.entries = new long[capacity];
  }

  static NodeHeap nearestFirst(int capacity) {
    return new NodeHeap(0, Math.max(16, capacity));
  }

  static NodeHeap farthestFirst(int capacity) {
    return new NodeHeap(-1, Math.max(16, capacity + 1));
  }

  public int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  void clear() {
    size = 0;
  }

  float firstDistance() {
    return distance(0);
  }

  /** A row, in the heap's own order. */
  public int node(int i) {
    return (int) entries[i];
  }

  /** The distance of the row that {@link #node} gives. */
  public float distance(int i) {
    int order = (int) (entries[i] >> Integer.SIZE) ^ flip;
    return Float.intBitsToFloat(ascending(order));
  }

  /** Bits of floats as ints of the same order, and back. */
  private static int ascending(int bits) {
    return bits ^ ((bits >> (Integer.SIZE - 1)) & Integer.MAX_VALUE);
  }

  private long entry(int node, float distance) {
    return ((long) (ascending(Float.floatToRawIntBits(distance)) ^ flip) << Integer.SIZE) | node;
  }

  void add(int node, float distance) {
    if (size == entries.length) {
      entries = Arrays.copyOf(entries, 2 * size);
    }
    long entry = entry(node, distance);
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (entry >= entries[parent]) {
        break;
      }
      entries[at] = entries[parent];
      at = parent;
    }
    entries[at] = entry;
  }

  int removeFirst() {
    int first = node(0);
    size--;
    sink(entries[size]);
    return first;
  }

  /** Puts a row in place of the first one. */
  void replaceFirst(int node, float distance) {
    sink(entry(node, distance));
  }

  private void sink(long entry) {
    long[] heap = entries;
    int at = 0;
    for (int child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && heap[child + 1] < heap[child]) {
        child++;
      }
      if (entry <= heap[child]) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = entry;
  }
}
