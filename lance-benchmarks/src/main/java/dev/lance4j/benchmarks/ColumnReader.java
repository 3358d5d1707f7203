package dev.lance4j.benchmarks;

import dev.lance4j.format.testing.SampleColumn;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/** Makes the first rows of a sample column, batch by batch. */
final class ColumnReader extends GeneratedRows {
  private static final int BATCH_SIZE = 8192;

  private final SampleColumn column;

  ColumnReader(SampleColumn column, long rows, BufferAllocator allocator) {
    super(new Schema(List.of(column.field())), rows, BATCH_SIZE, allocator);
    this.column = column;
  }

  /** The number of rows that have about this number of values. */
  static long rows(SampleColumn column, long values) {
    return column == SampleColumn.EMBEDDING
        ? (values + SampleColumn.DIMENSION - 1) / SampleColumn.DIMENSION
        : values;
  }

  @Override
  void fill(VectorSchemaRoot batch, long first, int count) {
    try (FieldVector vector = column.vector(first, count, allocator);
        VectorSchemaRoot made = VectorSchemaRoot.of(vector);
        ArrowRecordBatch shared = new VectorUnloader(made).getRecordBatch()) {
      new VectorLoader(batch).load(shared);
    }
  }
}
