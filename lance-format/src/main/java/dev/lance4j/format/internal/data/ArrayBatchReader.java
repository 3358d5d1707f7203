package dev.lance4j.format.internal.data;

import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Batches as an {@link ArrowReader}, sharing the memory of what the source decoded. */
public final class ArrayBatchReader extends ArrowReader {
  /** Gives batch after batch. Used by one thread at a time. */
  public interface Source extends AutoCloseable {
    /** The next batch, owned by the caller; null at the end. */
    ArrayBatch next();

    /** Stops the work and frees memory. */
    @Override
    void close();
  }

  private final Schema schema;
  private final Source source;
  private long bytesGiven;

  /**
   * @param schema with dictionary fields having the type of their values
   * @param source closed with this reader
   */
  public ArrayBatchReader(BufferAllocator allocator, Schema schema, Source source) {
    super(allocator);
    this.schema = schema;
    this.source = source;
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    prepareLoadNextBatch();
    VectorSchemaRoot root = getVectorSchemaRoot();
    ArrayBatch batch = source.next();
    if (batch == null) {
      root.clear();
      return false;
    }
    try (batch) {
      for (int i = 0; i < batch.arrays().size(); i++) {
        ArrayData array = batch.arrays().get(i);
        bytesGiven += array.bytes();
        loadDictionaries(schema.getFields().get(i), array);
        ArrayDataVectors.load(array, root.getVector(i), allocator);
      }
      root.setRowCount(batch.rows());
    }
    return true;
  }

  private void loadDictionaries(Field field, ArrayData array) throws IOException {
    if (field.getDictionary() != null) {
      Dictionary dictionary = getDictionaryVectors().get(field.getDictionary().getId());
      ArrayDataVectors.load(array.dictionary(), dictionary.getVector(), allocator);
    }
    for (int i = 0; i < field.getChildren().size(); i++) {
      loadDictionaries(field.getChildren().get(i), array.child(i));
    }
  }

  /** The number of bytes in the buffers of the batches that were given so far. */
  @Override
  public long bytesRead() {
    return bytesGiven;
  }

  @Override
  protected void closeReadSource() {
    source.close();
  }

  @Override
  protected Schema readSchema() {
    return schema;
  }
}
