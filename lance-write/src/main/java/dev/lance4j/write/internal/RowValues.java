package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.FieldArrays;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.write.NewColumns;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Columns of a source that has a row for each row of the table, in its order. */
public final class RowValues implements ColumnValues, AutoCloseable {
  private final JsonTextColumns source;
  private final LanceSchema columns;
  private final boolean externalBlobs;
  private VectorSchemaRoot batch;
  private int next;

  /**
   * @param columns the schema of the source, with the ids of the new fields
   */
  public RowValues(NewColumns.Rows rows, LanceSchema columns, BufferAllocator allocator) {
    this.source = new JsonTextColumns(rows.source(), allocator);
    this.columns = columns;
    this.externalBlobs = rows.externalBlobs();
  }

  @Override
  public boolean mayBeExternal() {
    return externalBlobs;
  }

  @Override
  public void write(FragmentMetadata fragment, ColumnFileWriter writer) {
    while (writer.missingRows() > 0) {
      if (!hasRows()) {
        throw new InvalidInputException(
            "The source ended before it had a row for each row of the table; in fragment "
                + fragment.id()
                + " there are "
                + writer.missingRows()
                + " more");
      }
      int count = (int) Math.min(writer.missingRows(), batch.getRowCount() - next);
      if (count == batch.getRowCount()) {
        write(batch, writer);
      } else {
        try (VectorSchemaRoot part = batch.slice(next, count)) {
          write(part, writer);
        }
      }
      next += count;
    }
  }

  private void write(VectorSchemaRoot rows, ColumnFileWriter writer) {
    List<ArrayData> arrays = FieldArrays.of(columns, rows, source.dictionaries());
    try {
      writer.write(arrays, rows.getRowCount());
    } finally {
      arrays.forEach(ArrayData::close);
    }
  }

  private boolean hasRows() {
    while (batch == null || next == batch.getRowCount()) {
      batch = source.next();
      next = 0;
      if (batch == null) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void end() {
    if (hasRows()) {
      throw new InvalidInputException("The source has more rows than the table");
    }
  }

  @Override
  public void close() {
    source.close();
  }
}
