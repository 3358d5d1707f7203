package dev.lance4j.benchmarks;

import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/** Makes the first of {@link SampleRows}, batch by batch. */
final class RowsReader extends ArrowReader {
  private final long rows;
  private long done;

  RowsReader(long rows, BufferAllocator allocator) {
    super(allocator);
    this.rows = rows;
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    int count = (int) Math.min(SampleRows.BATCH_SIZE, rows - done);
    if (count == 0) {
      return false;
    }
    getVectorSchemaRoot().clear();
    SampleRows.fill(getVectorSchemaRoot(), done, 1, count);
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
    return SampleRows.schema();
  }
}
