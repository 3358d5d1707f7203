package dev.lance4j.scan.internal.read;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.column.ReadColumns;
import dev.lance4j.scan.internal.column.ReadGroup;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;

/** Reads output columns of rows whose places are known. Safe for use by many threads. */
public final class RowReader {
  private final ReadColumns columns;
  private final ReadGroup group;
  private final Outputs outputs;

  /**
   * @param columns what to give of each row
   */
  public RowReader(List<OutputColumn> columns, LanceSchema table) {
    this.columns = new ReadColumns(table);
    this.group = this.columns.add(Outputs.needs(columns, table));
    this.outputs = new Outputs(columns, table, this.columns);
  }

  /** The schema of the batches. */
  public Schema schema() {
    return outputs.schema();
  }

  /** The columns of some rows of a fragment, owned by the caller. */
  public ArrayBatch read(ScanFragment fragment, RowRanges offsets) {
    try (RowBatch rows = new RowBatch(fragment, offsets, columns.size())) {
      rows.put(group, fragment.read(group, offsets));
      return outputs.read(rows);
    }
  }
}
