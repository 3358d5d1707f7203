package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;

/** A run that is read in batches of arrays: of values in order, nulls first, and row numbers. */
final class StoredRun extends NumberRun {
  private final ArrayBatchReader.Source source;
  private final NumberType type;
  private int values;

  /**
   * @param source closed with this
   */
  StoredRun(ArrayBatchReader.Source source, NumberType type) {
    this.source = source;
    this.type = type;
  }

  @Override
  boolean load() {
    if (values > 0) {
      // The rows with a value of the batch of which those without one were given before.
      at = end;
      end += values;
      values = 0;
      isNull = false;
      return true;
    }
    at = 0;
    end = 0;
    ArrayBatch batch = source.next();
    if (batch == null) {
      return false;
    }
    try (batch) {
      ArrayData column = batch.arrays().get(0);
      int nulls = column.nullCount();
      keys = new long[batch.rows()];
      rows = new long[batch.rows()];
      type.read(column, nulls, batch.rows(), keys, nulls);
      Longs.read(batch.arrays().get(1).buffer(1), 0, rows, 0, batch.rows());
      isNull = nulls > 0;
      end = isNull ? nulls : batch.rows();
      values = batch.rows() - end;
    }
    return true;
  }

  @Override
  public void close() {
    source.close();
  }
}
