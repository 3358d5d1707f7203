package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.FieldWriter;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import java.util.ArrayList;
import java.util.List;

/** Writes a field of the schema and all below it. */
final class TopLevelWriter implements FieldWriter {
  private final ColumnWriter column;

  TopLevelWriter(ColumnWriter column) {
    this.column = column;
  }

  @Override
  public void append(ArrayData rows) {
    if (rows.length() > 0) {
      column.append(rows, null, RowRanges.of(0, rows.length()));
    }
  }

  @Override
  public void finish() {
    column.flush(false);
    column.finish();
  }

  @Override
  public List<ColumnMetadata> columns() {
    List<ColumnMetadata> columns = new ArrayList<>();
    column.addColumns(columns);
    return columns;
  }

  @Override
  public void close() {
    column.close();
  }
}
