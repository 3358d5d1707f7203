package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.rowid.RowAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * New values of rows of the table that come in the order of the source's parts and are needed
 * fragment by fragment. They wait in files.
 */
final class SpilledPatches implements AutoCloseable {
  private static final Field ADDRESS = Field.notNullable("address", new ArrowType.Int(64, false));

  private final MergeMemory memory;
  private final List<Field> fields = new ArrayList<>();
  private final SpillFile file;

  /** Takes the new values of all rows of some fragments. */
  interface Consumer {
    /**
     * Takes the rows of some fragments.
     *
     * @param addresses of the rows, in any order
     * @param values one array for each column, borrowed
     */
    void accept(long[] addresses, List<ArrayData> values);
  }

  /**
   * @param columns whose values change
   */
  SpilledPatches(List<Field> columns, MergeMemory memory) {
    this.memory = memory;
    fields.add(ADDRESS);
    fields.addAll(columns);
    this.file = memory.newFile(fields);
  }

  /**
   * Adds rows.
   *
   * @param values one array for each column, borrowed
   */
  void append(long[] addresses, List<ArrayData> values) {
    List<ArrayData> row = new ArrayList<>(fields.size());
    try (ArrayData column = FixedValues.of(addresses, memory.allocator())) {
      row.add(column);
      row.addAll(values);
      file.append(row, addresses.length);
    }
  }

  /** Calls back with all rows, those of one fragment at once; to be called once. */
  void forEachGroup(Consumer consumer) {
    file.finish();
    try (PartitionedRows groups =
        new PartitionedRows(fields, PartitionedRows.countFor(file, memory), memory)) {
      file.forEachBatch(
          memory.allocator(), batch -> groups.append(fragmentIds(batch), batch.arrays()));
      groups.finish();
      for (int i = 0; i < groups.count(); i++) {
        List<List<ArrayData>> batches = groups.readAll(i);
        if (!batches.isEmpty()) {
          accept(Columns.concat(fields, batches, memory.allocator()), consumer);
        }
      }
    }
  }

  private static RowKeys fragmentIds(ArrayBatch batch) {
    long[] ids = FixedValues.read(batch.arrays().get(0), Long.SIZE, batch.rows());
    for (int i = 0; i < ids.length; i++) {
      ids[i] = RowAddress.fragmentId(ids[i]);
    }
    return new LongKeys(ids, ids.length, null);
  }

  private static void accept(List<ArrayData> columns, Consumer consumer) {
    try {
      ArrayData addresses = columns.get(0);
      consumer.accept(
          FixedValues.read(addresses, Long.SIZE, addresses.length()),
          columns.subList(1, columns.size()));
    } finally {
      Columns.close(columns);
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
