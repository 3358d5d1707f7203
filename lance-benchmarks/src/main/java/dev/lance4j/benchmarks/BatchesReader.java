package dev.lance4j.benchmarks;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/** Gives batches that are in memory, without copying their values. */
final class BatchesReader extends ArrowReader {
  private final Schema schema;
  private final Iterator<VectorSchemaRoot> batches;

  BatchesReader(List<VectorSchemaRoot> batches, BufferAllocator allocator) {
    this(SampleRows.schema(), batches, allocator);
  }

  BatchesReader(Schema schema, List<VectorSchemaRoot> batches, BufferAllocator allocator) {
    super(allocator);
    this.schema = schema;
    this.batches = batches.iterator();
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    if (!batches.hasNext()) {
      return false;
    }
    try (ArrowRecordBatch shared = new VectorUnloader(batches.next()).getRecordBatch()) {
      new VectorLoader(getVectorSchemaRoot()).load(shared);
    }
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
    return schema;
  }
}
