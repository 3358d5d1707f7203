package dev.lance4j.index.vector.internal.search;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.VectorColumn;
import org.apache.arrow.memory.ArrowBuf;

/** Measures how far vectors, as they are stored, are from one of them. For use by one thread. */
public final class ExactDistances {
  // So many bytes of vectors stay in the cache between being copied and being measured.
  private static final int BLOCK_BYTES = 1 << 17;

  private final int rowBytes;
  private final int blockRows;
  private final VectorRows rows;
  private final RowScorer scorer;
  private final float[] block;

  /**
   * Prepares to measure.
   *
   * @param column of the vectors
   * @param query of the dimension of the column
   */
  public ExactDistances(VectorColumn column, Metric metric, QueryVector query) {
    this.rowBytes = Math.multiplyExact(column.dimension(), column.element().bytes());
    this.blockRows = Math.max(1, BLOCK_BYTES / rowBytes);
    this.rows = VectorRows.allocate(column.element(), blockRows, column.dimension());
    this.scorer = rows.scorer(metric, query.preparedFor(metric, column.element()));
    this.block = new float[blockRows];
  }

  /**
   * The distances to some vectors; not a number where there is none.
   *
   * @param vectors one after the other
   * @param count of the vectors
   * @param out takes the distances, from 0 on
   */
  public void measure(ArrowBuf vectors, int count, float[] out) {
    for (int done = 0; done < count; done += blockRows) {
      int together = Math.min(blockRows, count - done);
      rows.set(0, together, vectors.nioBuffer((long) done * rowBytes, together * rowBytes));
      scorer.score(0, together, block);
      System.arraycopy(block, 0, out, done, together);
    }
  }
}
