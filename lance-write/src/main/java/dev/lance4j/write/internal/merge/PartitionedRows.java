package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Rows in files by the hashes of their keys; equal keys are in the same file. */
final class PartitionedRows implements AutoCloseable {
  /** The most parts, each of which is an open file while the rows are written. */
  private static final int MOST = 1024;

  // Tables of keys take the low bits of the hash, which would otherwise be alike in a part.
  private static final int FOR_TABLES = 33;

  private final List<Field> fields;
  private final BufferAllocator allocator;
  private final List<SpillFile> files = new ArrayList<>();
  private long nullKeys;

  PartitionedRows(List<Field> fields, int count, MergeMemory memory) {
    this.fields = fields;
    this.allocator = memory.allocator();
    boolean complete = false;
    try {
      for (int i = 0; i < count; i++) {
        files.add(memory.newFile(fields));
      }
      complete = true;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  /** How many parts to split the rows of a file into, so that each fits memory. */
  static int countFor(SpillFile file, MergeMemory memory) {
    // Keys are not spread quite evenly, so that parts of half the size fit with certainty.
    return (int) Math.min(2 * file.bytes() / memory.heldBytes() + 1, MOST);
  }

  int count() {
    return files.size();
  }

  /** Adds rows, which stay the caller's. */
  void append(RowKeys keys, List<ArrayData> columns) {
    int[] part = new int[keys.size()];
    int[] sizes = new int[files.size()];
    for (int row = 0; row < part.length; row++) {
      part[row] = keys.isNull(row) ? (int) (nullKeys++ % files.size()) : part(keys.hash(row));
      sizes[part[row]]++;
    }
    int[][] rows = new int[files.size()][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new int[sizes[i]];
      sizes[i] = 0;
    }
    for (int row = 0; row < part.length; row++) {
      rows[part[row]][sizes[part[row]]++] = row;
    }
    for (int i = 0; i < rows.length; i++) {
      if (rows[i].length > 0) {
        append(i, columns, rows[i]);
      }
    }
  }

  private int part(long hash) {
    return Math.floorMod(hash >>> FOR_TABLES, files.size());
  }

  private void append(int index, List<ArrayData> columns, int[] rows) {
    List<ArrayData> some = Columns.gather(fields, columns, rows, allocator);
    try {
      files.get(index).append(some, rows.length);
    } finally {
      Columns.close(some);
    }
  }

  void finish() {
    files.forEach(SpillFile::finish);
  }

  /** All batches of a part, owned by the caller. */
  List<List<ArrayData>> readAll(int index) {
    return files.get(index).readAll(allocator);
  }

  /** Calls back with all batches of a part, each of which is valid only during the call. */
  void forEachBatch(int index, Consumer<ArrayBatch> consumer) {
    files.get(index).forEachBatch(allocator, consumer);
  }

  @Override
  public void close() {
    RuntimeException failure = null;
    for (SpillFile file : files) {
      try {
        file.close();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    files.clear();
    if (failure != null) {
      throw failure;
    }
  }
}
