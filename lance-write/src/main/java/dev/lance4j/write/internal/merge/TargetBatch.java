package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.data.ArrayData;
import java.util.List;

/**
 * Some live rows of the table. Owns its columns.
 *
 * @param columns those that the merge compares
 * @param addresses of the rows, ascending
 */
record TargetBatch(List<ArrayData> columns, long[] addresses) implements AutoCloseable {
  int rows() {
    return addresses.length;
  }

  @Override
  public void close() {
    Columns.close(columns);
  }
}
