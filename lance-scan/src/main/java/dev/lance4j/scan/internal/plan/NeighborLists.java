package dev.lance4j.scan.internal.plan;

import dev.lance4j.index.vector.Neighbors;
import dev.lance4j.index.vector.internal.search.TopRows;
import java.util.List;

/** Joins what several searches found. */
final class NeighborLists {
  private NeighborLists() {}

  /** The rows that are kept, which ends their collection. */
  static Neighbors drain(TopRows top) {
    float[] distances = new float[top.size()];
    long[] rowIds = new long[distances.length];
    top.drain(distances, rowIds);
    return new Neighbors(rowIds, distances);
  }

  /** The {@code k} nearest of some rows, each of which is in one of the lists. */
  static Neighbors nearest(List<Neighbors> lists, int k) {
    TopRows top = new TopRows(k);
    for (Neighbors list : lists) {
      for (int i = 0; i < list.size(); i++) {
        top.offer(list.distances()[i], list.rowIds()[i]);
      }
    }
    return drain(top);
  }
}
