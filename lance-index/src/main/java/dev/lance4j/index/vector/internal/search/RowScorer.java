package dev.lance4j.index.vector.internal.search;

/** The distances of one vector to the rows of a partition. Used by one thread. */
public abstract class RowScorer {
  /** The distance to one row. */
  public abstract float score(int row);

  /**
   * The distances to {@code count} rows from {@code first} on.
   *
   * @param out takes them, from 0 on
   */
  public abstract void score(int first, int count, float[] out);
}
