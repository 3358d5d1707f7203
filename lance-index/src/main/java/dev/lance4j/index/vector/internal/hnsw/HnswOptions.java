package dev.lance4j.index.vector.internal.hnsw;

/**
 * How a graph is built.
 *
 * @param maxLevel the number of levels
 * @param m the most neighbours of a row above level 0, where there may be twice as many
 * @param efConstruction how many rows are kept in sight when a row is inserted
 */
public record HnswOptions(int maxLevel, int m, int efConstruction) {
  /** What the format takes unless asked otherwise. */
  public static final HnswOptions DEFAULT = new HnswOptions(7, 20, 150);

  /** The most neighbours of a row on a level. */
  public int maxNeighbors(int level) {
    return level == 0 ? 2 * m : m;
  }
}
