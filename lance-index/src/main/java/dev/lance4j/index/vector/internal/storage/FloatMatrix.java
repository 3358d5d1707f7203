package dev.lance4j.index.vector.internal.storage;

/**
 * Numbers in rows.
 *
 * @param values row after row
 */
public record FloatMatrix(int rows, int columns, float[] values) {
  /** The place of a row's first value. */
  public int at(int row) {
    return row * columns;
  }
}
