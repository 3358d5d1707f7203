package dev.lance4j.index.vector.internal.search;

import dev.lance4j.index.vector.Neighbors;
import java.util.HashMap;
import java.util.Map;

/** Adds up how similar rows are to the vectors of a query, of which not all met every row. */
public final class SimilaritySums {
  private static final class Sum {
    // Of the vectors that met the row, less what would be assumed for them otherwise.
    private float gain;
    private int lastQuery = -1;
  }

  private final Map<Long, Sum> sums = new HashMap<>();
  private int queries;
  private float assumed;

  /**
   * Adds the rows that one more vector met.
   *
   * @param found the nearest first; rows come once for each of their vectors
   */
  public void add(Neighbors found) {
    int size = found.size();
    float least = size == 0 ? 0 : 1 - found.distances()[size - 1];
    for (int i = 0; i < size; i++) {
      Sum sum = sums.computeIfAbsent(found.rowIds()[i], id -> new Sum());
      if (sum.lastQuery < queries) {
        sum.lastQuery = queries;
        sum.gain += 1 - found.distances()[i] - least;
      }
    }
    assumed += least;
    queries++;
  }

  /** The most similar rows. */
  public TopRows top(int most) {
    TopRows top = new TopRows(most);
    sums.forEach((rowId, sum) -> top.offer(queries - (assumed + sum.gain), rowId));
    return top;
  }
}
