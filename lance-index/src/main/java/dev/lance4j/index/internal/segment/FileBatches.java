package dev.lance4j.index.internal.segment;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileScan;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;

/** Batches of what is read of an index file. For use by one thread. */
public final class FileBatches implements ArrayBatchReader.Source {
  private final ArrowReader reader;

  /**
   * Starts reading.
   *
   * @param scan of columns that the schema of the file has
   * @throws CorruptFileException if the file does not have them all the same
   */
  public FileBatches(LanceFileReader file, FileScan scan, BufferAllocator allocator) {
    try {
      this.reader = scan.open(allocator);
    } catch (InvalidInputException e) {
      throw new CorruptFileException(file.path(), -1, e.getMessage(), e);
    }
  }

  @Override
  public ArrayBatch next() {
    try {
      return reader.loadNextBatch()
          ? ArrayDataVectors.batchOf(reader.getVectorSchemaRoot(), reader)
          : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
