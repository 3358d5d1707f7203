package dev.lance4j.format.internal.data;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Schema;

/** One batch as Arrow vectors, which share its memory. */
public final class BatchVectors implements AutoCloseable {
  private final ArrayBatchReader reader;
  private final VectorSchemaRoot root;

  /**
   * @param batch taken over
   */
  public BatchVectors(Schema schema, ArrayBatch batch, BufferAllocator allocator) {
    this.reader = new ArrayBatchReader(allocator, schema, new SingleBatch(batch));
    boolean complete = false;
    try {
      reader.loadNextBatch();
      this.root = reader.getVectorSchemaRoot();
      complete = true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  public VectorSchemaRoot root() {
    return root;
  }

  public DictionaryProvider dictionaries() {
    return reader;
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
