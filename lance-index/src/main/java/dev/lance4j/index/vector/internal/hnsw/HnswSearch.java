package dev.lance4j.index.vector.internal.hnsw;

import dev.lance4j.index.vector.internal.search.RowScorer;

/**
 * One search of a graph: down the levels to a row that is near, and from there in all directions,
 * keeping the best {@code ef} rows. Used once.
 */
public final class HnswSearch {
  /** Which rows may be found; all may be passed through. */
  public interface Acceptance {
    /** Whether a row at a distance may be found. */
    boolean accepts(int row, float distance);
  }

  /** How many rows as far as the farthest result are followed. */
  private static final int MOST_EQUALLY_FAR = 1 << 12;

  private final HnswGraph graph;
  private final RowScorer scorer;
  private final long[] visited;
  private int equallyFar;

  /**
   * A search.
   *
   * @param rows of the partition
   */
  public HnswSearch(HnswGraph graph, int rows, RowScorer scorer) {
    this.graph = graph;
    this.scorer = scorer;
    this.visited = new long[(rows + Long.SIZE - 1) / Long.SIZE];
  }

  /**
   * Searches.
   *
   * @param ef how many rows to keep
   * @return the rows found, in no order
   */
  public NodeHeap search(int ef, Acceptance acceptance) {
    int nearest = graph.entryPoint();
    float distance = scorer.score(nearest);
    for (int level = graph.levels() - 1; level > 0; level--) {
      long found = descend(graph.level(level), nearest, distance);
      nearest = (int) found;
      distance = Float.intBitsToFloat((int) (found >>> Integer.SIZE));
    }
    return spread(graph.level(0), nearest, distance, ef, acceptance);
  }

  /** Goes to nearer and nearer rows; the last one's distance and number, as one value. */
  private long descend(HnswGraph.Level level, int from, float fromDistance) {
    int nearest = from;
    float distance = fromDistance;
    for (boolean moved = true; moved; ) {
      moved = false;
      int place = level.place(nearest);
      if (place < 0) {
        break;
      }
      for (int i = level.start(place); i < level.end(place); i++) {
        int row = level.neighbor(i);
        float rowDistance = scorer.score(row);
        if (rowDistance < distance) {
          distance = rowDistance;
          nearest = row;
          moved = true;
        }
      }
    }
    return ((long) Float.floatToRawIntBits(distance) << Integer.SIZE) | nearest;
  }

  private NodeHeap spread(
      HnswGraph.Level level, int start, float startDistance, int ef, Acceptance acceptance) {
    NodeHeap candidates = NodeHeap.nearestFirst(ef);
    NodeHeap results = NodeHeap.farthestFirst(ef);
    visit(start);
    candidates.add(start, startDistance);
    if (acceptance.accepts(start, startDistance)) {
      results.add(start, startDistance);
    }
    while (!candidates.isEmpty()) {
      float distance = candidates.firstDistance();
      int row = candidates.removeFirst();
      if (results.size() >= ef && distance > results.firstDistance()) {
        break;
      }
      int place = level.place(row);
      if (place < 0) {
        continue;
      }
      for (int i = level.start(place); i < level.end(place); i++) {
        int neighbor = level.neighbor(i);
        if (visit(neighbor)) {
          consider(neighbor, ef, candidates, results, acceptance);
        }
      }
    }
    return results;
  }

  private void consider(
      int row, int ef, NodeHeap candidates, NodeHeap results, Acceptance acceptance) {
    float distance = scorer.score(row);
    boolean full = results.size() >= ef;
    if (full && !(distance < results.firstDistance())) {
      // Many rows at one distance: behind any of them there may be nearer ones.
      if (distance == results.firstDistance() && equallyFar < MOST_EQUALLY_FAR) {
        equallyFar++;
        candidates.add(row, distance);
      }
      return;
    }
    candidates.add(row, distance);
    if (!acceptance.accepts(row, distance)) {
      return;
    }
    if (full) {
      results.replaceFirst(row, distance);
    } else {
      results.add(row, distance);
    }
  }

  /** Whether a row is seen for the first time. */
  private boolean visit(int row) {
    long bit = 1L << row;
    int word = row / Long.SIZE;
    boolean first = (visited[word] & bit) == 0;
    visited[word] |= bit;
    return first;
  }
}
