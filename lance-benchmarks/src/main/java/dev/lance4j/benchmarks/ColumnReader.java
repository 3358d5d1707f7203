package dev.lance4j.benchmarks;

import dev.lance4j.format.testing.SampleColumn;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/** Makes the first rows of a sample column, batch by batch. */
final class ColumnReader extends ArrowReader {
  private static final int BATCH_SIZE = 8192;

  private final SampleColumn column;
  private final long rows;
  private long done;

  ColumnReader(SampleColumn column, long rows, BufferAllocator allocator) {
    super(allocator);
    this.column = column;
    this.rows = rows;
  }

  /** The number of rows that have about this number of values. */
  static long rows(SampleColumn column, long values) {
    return column == SampleColumn.EMBEDDING
        ? (values + SampleColumn.DIMENSION - 1) / SampleColumn.DIMENSION
        : values;
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    int count = (int) Math.min(BATCH_SIZE, rows - done);
    if (count == 0) {
      return false;
    }
    try (FieldVector vector = column.vector(done, count, allocator);
        VectorSchemaRoot batch = VectorSchemaRoot.of(vector);
        ArrowRecordBatch shared = new VectorUnloader(batch).getRecordBatch()) {
      new VectorLoader(getVectorSchemaRoot()).load(shared);
    }
    done += count;
    return true;
  }

  @Override
  public long bytesRead() {
    return 0;
  }

  @Override
  protected void closeReadSource() {}

  @Override
  protected Schema readSchema() {
    return new Schema(List.of(column.field()));
  }
}
