package dev.lance4j.index.vector.internal.build;

import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectWriter;
import dev.lance4j.format.store.TemporaryFolder;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Sorts records by partition. Keeps them in memory up to a budget; beyond it all that are there go
 * into a temporary object, partition after partition. Used by one thread.
 */
final class Shuffle implements AutoCloseable {
  private static final int FIRST_CHUNK = 1 << 10;
  private static final int LAST_CHUNK = 1 << 18;

  private final int recordBytes;
  private final long budgetBytes;
  private final Buffer[] buffers;
  private final int[] counts;
  private final List<Run> runs = new ArrayList<>();
  private TemporaryFolder folder;
  private long buffered;

  /** What was in memory when the budget was used up. */
  private record Run(ObjectReader reader, long[] starts) {}

  /** The records of one partition in memory. */
  private static final class Buffer {
    private final List<byte[]> chunks = new ArrayList<>();
    private int used;

    int usedOf(int chunk) {
      return chunk == chunks.size() - 1 ? used : chunks.get(chunk).length;
    }
  }

  /**
   * An empty shuffle.
   *
   * @param recordBytes of each record
   * @param budgetBytes of memory for records
   */
  Shuffle(int partitions, int recordBytes, long budgetBytes) {
    this.recordBytes = recordBytes;
    this.budgetBytes = budgetBytes;
    this.buffers = new Buffer[partitions];
    this.counts = new int[partitions];
    for (int p = 0; p < partitions; p++) {
      buffers[p] = new Buffer();
    }
  }

  /** Adds a record. */
  void add(int partition, byte[] records, int from) {
    Buffer buffer = buffers[partition];
    byte[] chunk = buffer.chunks.isEmpty() ? null : buffer.chunks.get(buffer.chunks.size() - 1);
    if (chunk == null || buffer.used == chunk.length) {
      chunk = grow(buffer, chunk);
    }
    System.arraycopy(records, from, chunk, buffer.used, recordBytes);
    buffer.used += recordBytes;
    counts[partition] = Math.addExact(counts[partition], 1);
  }

  private byte[] grow(Buffer buffer, byte[] last) {
    int bytes = last == null ? FIRST_CHUNK : Math.min(LAST_CHUNK, 2 * last.length);
    byte[] chunk = new byte[Math.max(1, bytes / recordBytes) * recordBytes];
    buffer.chunks.add(chunk);
    buffer.used = 0;
    buffered += chunk.length;
    return chunk;
  }

  /** Makes room if the budget is used up; to be called now and then. */
  void spillIfNeeded() {
    if (buffered < budgetBytes) {
      return;
    }
    if (folder == null) {
      folder = TemporaryFolder.create((Path) null);
    }
    String name = "run-" + runs.size();
    long[] starts = new long[buffers.length + 1];
    try (ObjectWriter writer = folder.create(name)) {
      for (int p = 0; p < buffers.length; p++) {
        starts[p] = writer.position();
        Buffer buffer = buffers[p];
        for (int c = 0; c < buffer.chunks.size(); c++) {
          writer.write(ByteBuffer.wrap(buffer.chunks.get(c), 0, buffer.usedOf(c)));
        }
        buffer.chunks.clear();
      }
      starts[buffers.length] = writer.position();
      writer.commit();
    }
    buffered = 0;
    runs.add(new Run(folder.open(name), starts));
  }

  /** The number of records of each partition. */
  int[] counts() {
    return counts.clone();
  }

  /** The records of a partition, in the order in which they came. */
  PartitionRecords partition(int partition) {
    return new PartitionRecords() {
      @Override
      public int count() {
        return counts[partition];
      }

      @Override
      public void forEach(Visitor visitor) {
        for (Run run : runs) {
          visit(run, partition, visitor);
        }
        Buffer buffer = buffers[partition];
        for (int c = 0; c < buffer.chunks.size(); c++) {
          visitor.visit(buffer.chunks.get(c), 0, buffer.usedOf(c) / recordBytes);
        }
      }
    };
  }

  private void visit(Run run, int partition, PartitionRecords.Visitor visitor) {
    int most = Math.max(1, LAST_CHUNK / recordBytes) * recordBytes;
    long end = run.starts[partition + 1];
    for (long at = run.starts[partition]; at < end; at += most) {
      byte[] bytes = new byte[(int) Math.min(most, end - at)];
      run.reader.read(at, bytes.length).get(bytes);
      visitor.visit(bytes, 0, bytes.length / recordBytes);
    }
  }

  @Override
  public void close() {
    runs.forEach(run -> run.reader.close());
    if (folder != null) {
      folder.close();
    }
  }
}
