package dev.lance4j.format.internal.sort;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.RowGather;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Rows in memory that are to be sorted. Owns their batches. For use by one thread. */
final class SortBuffer implements AutoCloseable {
  private static final long MAX_KEY_BYTES = 1L << 30;

  private final List<Field> fields;
  private final BufferAllocator allocator;
  private final SortKeys keys;
  private final List<ArrayBatch> batches = new ArrayList<>();
  private int[] starts = new int[16];
  private int[] order;
  private long dataBytes;

  SortBuffer(List<Field> fields, List<KeyColumn> keyColumns, BufferAllocator allocator) {
    this.fields = fields;
    this.allocator = allocator;
    this.keys = new SortKeys(fields, keyColumns);
  }

  int rows() {
    return keys.rows();
  }

  SortKeys keys() {
    return keys;
  }

  /** Whether there is no room for another batch in some memory, or in an array of keys. */
  boolean isFull(long bytes) {
    return memoryBytes() > bytes || keys.memoryBytes() > MAX_KEY_BYTES;
  }

  /** About how many bytes of memory the rows and their keys take. */
  long memoryBytes() {
    return dataBytes + keys.memoryBytes();
  }

  /** Adds the rows of a batch, which is taken over. */
  void add(ArrayBatch batch) {
    if (batches.size() == starts.length) {
      starts = Arrays.copyOf(starts, 2 * starts.length);
    }
    starts[batches.size()] = keys.rows();
    batches.add(batch);
    for (ArrayData array : batch.arrays()) {
      dataBytes += array.bytes();
    }
    keys.add(batch);
    order = null;
  }

  /** The rows in order, by the number under which they were added. */
  int[] order() {
    if (order == null) {
      order = keys.sort();
    }
    return order;
  }

  /** Rows in order: those at some of its positions. Owned by the caller. */
  ArrayBatch sorted(int from, int count) {
    int[] batchOf = new int[count];
    int[] rowOf = new int[count];
    for (int i = 0; i < count; i++) {
      int row = order()[from + i];
      int found = Arrays.binarySearch(starts, 0, batches.size(), row);
      int batch = found >= 0 ? lastStartingAt(found) : -found - 2;
      batchOf[i] = batch;
      rowOf[i] = row - starts[batch];
    }
    return RowGather.gather(fields, batches, batchOf, rowOf, allocator);
  }

  /** Batches without rows start where the next one does. */
  private int lastStartingAt(int batch) {
    int last = batch;
    while (last + 1 < batches.size() && starts[last + 1] == starts[batch]) {
      last++;
    }
    return last;
  }

  @Override
  public void close() {
    batches.forEach(ArrayBatch::close);
    batches.clear();
  }
}
