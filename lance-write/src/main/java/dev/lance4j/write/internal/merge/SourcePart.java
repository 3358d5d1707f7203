package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.NullArrays;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Rows of a source in memory, which can be found by their keys. */
final class SourcePart implements AutoCloseable {
  private final int rows;
  private final List<ArrayData> columns;
  private final List<ArrayData> keyColumns;
  private final KeyTable table;

  private SourcePart(
      int rows, List<ArrayData> columns, List<ArrayData> keyColumns, KeyTable table) {
    this.rows = rows;
    this.columns = columns;
    this.keyColumns = keyColumns;
    this.table = table;
  }

  /**
   * @param batches of the source's columns, perhaps none; taken out of the list as they are used
   */
  static SourcePart of(
      SourceColumns source,
      List<List<ArrayData>> batches,
      KeyColumns keyColumns,
      boolean firstOnly,
      BufferAllocator allocator) {
    List<ArrayData> columns = joined(source.fields(), batches, allocator);
    boolean complete = false;
    try {
      int rows = columns.get(0).length();
      List<ArrayData> keyArrays =
          keyColumns.fields().stream().map(field -> columns.get(source.indexOf(field))).toList();
      RowKeys keys = keyColumns.read(keyArrays, rows);
      SourcePart part = new SourcePart(rows, columns, keyArrays, keys.table(firstOnly));
      complete = true;
      return part;
    } finally {
      if (!complete) {
        Columns.close(columns);
      }
    }
  }

  private static List<ArrayData> joined(
      List<Field> fields, List<List<ArrayData>> batches, BufferAllocator allocator) {
    if (batches.isEmpty()) {
      List<ArrayData> empty = new ArrayList<>();
      fields.forEach(field -> empty.add(NullArrays.of(field, 0, allocator)));
      return empty;
    }
    List<List<ArrayData>> taken = new ArrayList<>(batches);
    batches.clear();
    return Columns.concat(fields, taken, allocator);
  }

  int rows() {
    return rows;
  }

  /** The values of the source's columns. */
  List<ArrayData> columns() {
    return columns;
  }

  /** The values of the key columns, in the order of the key. */
  List<ArrayData> keyColumns() {
    return keyColumns;
  }

  KeyTable table() {
    return table;
  }

  /** Another owner of the same rows. */
  SourcePart shared() {
    columns.forEach(ArrayData::retain);
    return this;
  }

  @Override
  public void close() {
    Columns.close(columns);
  }
}
