package dev.lance4j.format.internal.data;

import java.util.List;

/**
 * Some rows of some columns. Owns its arrays.
 *
 * @param rows the number of rows, which is known even without columns
 * @param arrays one for each column
 */
public record ArrayBatch(int rows, List<ArrayData> arrays) implements AutoCloseable {
  @Override
  public void close() {
    arrays.forEach(ArrayData::close);
  }
}
