package dev.lance4j.benchmarks;

import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/** Rows that are functions of their positions, made batch by batch. */
abstract class GeneratedRows extends ArrowReader {
  private final Schema schema;
  private final long rows;
  private final int batchRows;
  private long done;

  /**
   * @param rows in all
   * @param batchRows of each batch but the last
   */
  GeneratedRows(Schema schema, long rows, int batchRows, BufferAllocator allocator) {
    super(allocator);
    this.schema = schema;
    this.rows = rows;
    this.batchRows = batchRows;
  }

  /** Makes the {@code count} rows from {@code first} on, in an empty batch. */
  abstract void fill(VectorSchemaRoot batch, long first, int count);

  @Override
  public final boolean loadNextBatch() throws IOException {
    int count = (int) Math.min(batchRows, rows - done);
    if (count == 0) {
      return false;
    }
    VectorSchemaRoot batch = getVectorSchemaRoot();
    batch.clear();
    fill(batch, done, count);
    batch.setRowCount(count);
    done += count;
    return true;
  }

  @Override
  public final long bytesRead() {
    return 0;
  }

  @Override
  protected final void closeReadSource() {}

  @Override
  protected final Schema readSchema() {
    return schema;
  }
}
