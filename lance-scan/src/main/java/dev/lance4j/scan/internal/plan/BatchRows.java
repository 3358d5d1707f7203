package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.scan.internal.column.ValueWidth;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * How many rows a batch should have. Learns from the batches how many bytes a row has. For use by
 * one thread.
 */
final class BatchRows {
  private final BatchSize size;
  private double width;

  /**
   * @param schema of the batches
   */
  BatchRows(BatchSize size, Schema schema) {
    this.size = size;
    for (Field field : schema.getFields()) {
      width += ValueWidth.estimate(field);
    }
  }

  /** The rows of the next batch. */
  long get() {
    double fitting = size.bytes() / Math.max(width, 1);
    return Math.max(1, (long) Math.min(size.rows(), fitting));
  }

  /** A guess of the bytes of a batch. */
  long estimatedBytes(long rows) {
    return (long) (rows * width);
  }

  void learn(ArrayBatch batch) {
    width = (width + (double) MorselTask.bytes(batch) / batch.rows()) / 2;
  }
}
