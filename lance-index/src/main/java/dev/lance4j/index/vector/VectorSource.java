package dev.lance4j.index.vector;

import java.io.IOException;
import org.apache.arrow.vector.ipc.ArrowReader;

/**
 * Where the vectors come from that an index is built of. Readers give two columns: {@code _rowid}
 * (unsigned 64-bit) with row addresses or stable row ids, and the vectors.
 */
public interface VectorSource {
  /** The shape of the column of vectors. */
  VectorColumn column();

  /** The number of rows, those without a vector included. */
  long rowCount();

  /**
   * All rows.
   *
   * @throws IOException if reading fails
   */
  ArrowReader scan() throws IOException;

  /**
   * Some rows, chosen at random; all if there are not more.
   *
   * @param rows how many
   * @param seed of the choice
   * @throws IOException if reading fails
   */
  ArrowReader sample(long rows, long seed) throws IOException;
}
