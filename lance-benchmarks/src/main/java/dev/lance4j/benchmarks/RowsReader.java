package dev.lance4j.benchmarks;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Makes the first of {@link SampleRows}, batch by batch. */
final class RowsReader extends GeneratedRows {
  RowsReader(long rows, BufferAllocator allocator) {
    super(SampleRows.schema(), rows, SampleRows.BATCH_SIZE, allocator);
  }

  @Override
  void fill(VectorSchemaRoot batch, long first, int count) {
    SampleRows.fill(batch, first, 1, count);
  }
}
