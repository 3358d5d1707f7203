package dev.lance4j.format.internal.sort;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.internal.data.BatchVectors;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Sorted rows in a file: one stream of Arrow's IPC format after another, each of one batch with its
 * own dictionaries.
 */
final class SortedRun {
  private SortedRun() {}

  /** Appends a batch, which is taken over. */
  static void write(ArrayBatch batch, Schema schema, ObjectWriter file, BufferAllocator allocator) {
    try (BatchVectors vectors = new BatchVectors(schema, batch, allocator);
        ArrowStreamWriter writer =
            new ArrowStreamWriter(vectors.root(), vectors.dictionaries(), new Sink(file))) {
      writer.writeBatch();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads batch after batch. For use by one thread. */
  static final class Reader implements ArrayBatchReader.Source {
    private final ObjectReader file;
    private final Source source;
    private final BufferAllocator allocator;

    /**
     * @param file closed with this reader
     */
    Reader(ObjectReader file, BufferAllocator allocator) {
      this.file = file;
      this.source = new Source(file);
      this.allocator = allocator;
    }

    @Override
    public ArrayBatch next() {
      if (source.isAtEnd()) {
        return null;
      }
      try (ArrowStreamReader reader = new ArrowStreamReader(source, allocator)) {
        reader.loadNextBatch();
        ArrayBatch batch = ArrayDataVectors.batchOf(reader.getVectorSchemaRoot(), reader);
        boolean complete = false;
        try {
          // Moves on to the end of the stream.
          reader.loadNextBatch();
          complete = true;
          return batch;
        } finally {
          if (!complete) {
            batch.close();
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      file.close();
    }
  }

  /** An object as a channel, which stays open when the channel is closed. */
  private record Sink(ObjectWriter file) implements WritableByteChannel {
    @Override
    public int write(ByteBuffer bytes) {
      int count = bytes.remaining();
      file.write(bytes);
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  /** As above, for reading. */
  private static final class Source implements ReadableByteChannel {
    private final ObjectReader file;
    private long position;

    Source(ObjectReader file) {
      this.file = file;
    }

    boolean isAtEnd() {
      return position == file.size();
    }

    @Override
    public int read(ByteBuffer into) {
      int count = (int) Math.min(into.remaining(), file.size() - position);
      if (count == 0) {
        return into.hasRemaining() ? -1 : 0;
      }
      into.put(file.read(position, count));
      position += count;
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
