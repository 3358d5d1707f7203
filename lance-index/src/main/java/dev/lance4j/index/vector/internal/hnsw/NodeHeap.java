package dev.lance4j.index.vector.internal.hnsw;

import java.util.Arrays;

/** Rows with their distances, as a heap. */
public final class NodeHeap {
  private final boolean nearestFirst;
  private float[] distances;
  private int[] nodes;
  private int size;

  private NodeHeap(boolean nearestFirst, int capacity) {
    this.nearestFirst = nearestFirst;
    this.distances = new float[capacity];
    this.nodes = new int[capacity];
  }

  static NodeHeap nearestFirst(int capacity) {
    return new NodeHeap(true, Math.max(16, capacity));
  }

  static NodeHeap farthestFirst(int capacity) {
    return new NodeHeap(false, Math.max(16, capacity + 1));
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
    return distances[0];
  }

  int first() {
    return nodes[0];
  }

  /** A row, in the heap's own order. */
  public int node(int i) {
    return nodes[i];
  }

  /** The distance of the row that {@link #node} gives. */
  public float distance(int i) {
    return distances[i];
  }

  private boolean before(float a, float b) {
    return nearestFirst ? a < b : a > b;
  }

  void add(int node, float distance) {
    if (size == nodes.length) {
      distances = Arrays.copyOf(distances, 2 * size);
      nodes = Arrays.copyOf(nodes, 2 * size);
    }
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) / 2;
      if (!before(distance, distances[parent])) {
        break;
      }
      distances[at] = distances[parent];
      nodes[at] = nodes[parent];
      at = parent;
    }
    distances[at] = distance;
    nodes[at] = node;
  }

  int removeFirst() {
    int first = nodes[0];
    size--;
    float distance = distances[size];
    int node = nodes[size];
    int at = 0;
    for (int child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && before(distances[child + 1], distances[child])) {
        child++;
      }
      if (!before(distances[child], distance)) {
        break;
      }
      distances[at] = distances[child];
      nodes[at] = nodes[child];
      at = child;
    }
    distances[at] = distance;
    nodes[at] = node;
    return first;
  }
}
