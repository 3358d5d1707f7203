package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.internal.JsonTextColumns;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * All rows of a source, read once and kept for every attempt to merge them. Those that do not fit
 * memory are kept in files, split by their keys, so that all rows with the same key are in the same
 * part and a part fits memory.
 */
final class SourceRows implements AutoCloseable {
  private final SourceColumns columns;
  private final KeyColumns keys;
  private final boolean firstOnly;
  private final BufferAllocator allocator;
  private final SourcePart inMemory;
  private final PartitionedRows onDisk;

  private SourceRows(
      SourceColumns columns,
      KeyColumns keys,
      boolean firstOnly,
      BufferAllocator allocator,
      SourcePart inMemory,
      PartitionedRows onDisk) {
    this.columns = columns;
    this.keys = keys;
    this.firstOnly = firstOnly;
    this.allocator = allocator;
    this.inMemory = inMemory;
    this.onDisk = onDisk;
  }

  /**
   * Reads a source to its end.
   *
   * @param firstOnly whether only the first row of each key counts
   */
  static SourceRows read(
      BatchSource source,
      SourceColumns columns,
      KeyColumns keys,
      boolean firstOnly,
      MergeMemory memory) {
    BufferAllocator allocator = memory.allocator();
    List<List<ArrayData>> held = new ArrayList<>();
    SpillFile spilled = null;
    try (JsonTextColumns stored = new JsonTextColumns(source, allocator)) {
      long bytes = 0;
      for (VectorSchemaRoot batch = stored.next(); batch != null; batch = stored.next()) {
        if (batch.getRowCount() == 0) {
          continue;
        }
        held.add(columns.copy(batch, stored.dictionaries(), allocator));
        bytes += Columns.bytes(held.get(held.size() - 1));
        if (spilled == null && bytes > memory.heldBytes()) {
          spilled = memory.newFile(columns.fields());
        }
        if (spilled != null) {
          spill(held, spilled);
        }
      }
      if (spilled == null) {
        SourcePart part = SourcePart.of(columns, held, keys, firstOnly, allocator);
        return new SourceRows(columns, keys, firstOnly, allocator, part, null);
      }
      spilled.finish();
      PartitionedRows parts = partition(spilled, columns, keys, memory);
      return new SourceRows(columns, keys, firstOnly, allocator, null, parts);
    } finally {
      held.forEach(Columns::close);
      if (spilled != null) {
        spilled.close();
      }
    }
  }

  private static void spill(List<List<ArrayData>> held, SpillFile file) {
    while (!held.isEmpty()) {
      List<ArrayData> batch = held.remove(0);
      try {
        file.append(batch, batch.get(0).length());
      } finally {
        Columns.close(batch);
      }
    }
  }

  private static PartitionedRows partition(
      SpillFile file, SourceColumns columns, KeyColumns keys, MergeMemory memory) {
    PartitionedRows parts =
        new PartitionedRows(columns.fields(), PartitionedRows.countFor(file, memory), memory);
    boolean complete = false;
    try {
      file.forEachBatch(
          memory.allocator(),
          batch -> {
            List<ArrayData> keyColumns = keyColumns(columns, keys, batch.arrays());
            parts.append(keys.read(keyColumns, batch.rows()), batch.arrays());
          });
      parts.finish();
      complete = true;
      return parts;
    } finally {
      if (!complete) {
        parts.close();
      }
    }
  }

  private static List<ArrayData> keyColumns(
      SourceColumns columns, KeyColumns keys, List<ArrayData> arrays) {
    return keys.fields().stream().map(field -> arrays.get(columns.indexOf(field))).toList();
  }

  /** The number of parts; one if all rows fit memory. */
  int parts() {
    return onDisk == null ? 1 : onDisk.count();
  }

  /** Loads a part, to be closed by the caller. */
  SourcePart part(int index) {
    if (onDisk == null) {
      return inMemory.shared();
    }
    List<List<ArrayData>> batches = onDisk.readAll(index);
    try {
      return SourcePart.of(columns, batches, keys, firstOnly, allocator);
    } finally {
      batches.forEach(Columns::close);
    }
  }

  @Override
  public void close() {
    if (inMemory != null) {
      inMemory.close();
    }
    if (onDisk != null) {
      onDisk.close();
    }
  }
}
