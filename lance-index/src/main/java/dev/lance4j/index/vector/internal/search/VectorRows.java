package dev.lance4j.index.vector.internal.search;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.VectorElement;
import java.nio.ByteBuffer;

/** Vectors in memory, as precise as they are stored. */
public sealed interface VectorRows permits FloatRows, DoubleRows, ByteRows {
  /** Room for vectors. */
  static VectorRows allocate(VectorElement element, int rows, int dimension) {
    return switch (element) {
      case FLOAT64 -> new DoubleRows(rows, dimension);
      case UINT8 -> new ByteRows(rows, dimension, false);
      default -> new FloatRows(element, rows, dimension);
    };
  }

  /**
   * Fills in rows.
   *
   * @param bytes of the rows as they are stored, from the position on
   */
  void set(int first, int count, ByteBuffer bytes);

  /** Copies a row as it is stored. */
  void copy(int row, byte[] out, int at);

  /** The exact distances to a vector. */
  RowScorer scorer(Metric metric, QueryVector query);

  /** The exact distances to one of the rows. */
  RowScorer scorerOf(Metric metric, int row);

  /** The exact distance of two of the rows. */
  float between(Metric metric, int a, int b);

  /** How many bytes of memory they take. */
  long memoryBytes();
}
