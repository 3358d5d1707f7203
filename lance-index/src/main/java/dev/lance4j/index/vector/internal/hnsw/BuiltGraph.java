package dev.lance4j.index.vector.internal.hnsw;

/** A graph that was built, with the distances between neighbours, to be written. */
public final class BuiltGraph {
  private final Neighborhoods[] levels;
  private final HnswOptions options;

  BuiltGraph(Neighborhoods[] levels, HnswOptions options) {
    this.levels = levels;
    this.options = options;
  }

  /** How it was built. */
  public HnswOptions options() {
    return options;
  }

  /** The rows on a level, ascending. */
  public int[] rows(int level) {
    return levels[level].rows();
  }

  /** The number of neighbours of a row on a level. */
  public int degree(int level, int row) {
    return levels[level].size(row);
  }

  /** A neighbour of a row on a level. */
  public int neighbor(int level, int row, int i) {
    return levels[level].neighbor(row, i);
  }

  /** The distance of a neighbour. */
  public float distance(int level, int row, int i) {
    return levels[level].distance(row, i);
  }

  /** The graph for searching. */
  public HnswGraph graph() {
    HnswGraph.Level[] graph = new HnswGraph.Level[levels.length];
    for (int level = 0; level < levels.length; level++) {
      int[] rows = rows(level);
      int[] offsets = new int[rows.length + 1];
      for (int i = 0; i < rows.length; i++) {
        offsets[i + 1] = offsets[i] + degree(level, rows[i]);
      }
      int[] neighbors = new int[offsets[rows.length]];
      for (int i = 0; i < rows.length; i++) {
        for (int n = offsets[i]; n < offsets[i + 1]; n++) {
          neighbors[n] = neighbor(level, rows[i], n - offsets[i]);
        }
      }
      graph[level] = new HnswGraph.Level(level == 0 ? null : rows, offsets, neighbors);
    }
    return new HnswGraph(graph, 0);
  }
}
