package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.write.BatchSource;
import java.util.List;

/** Columns of rows that are found by a key; null where there is none. */
public final class JoinedValues implements ColumnValues, AutoCloseable {
  private final LeftKeys left;
  private final JoinedRows right;
  private final LanceSchema columns;

  /**
   * @param right read here, into memory
   * @param leftOn the key in the table
   * @param rightOn the key in the source
   * @param columns the other columns of the source, with the ids of the new fields
   * @throws InvalidInputException if the keys do not fit, or the source has no batches
   */
  public JoinedValues(
      Scan.Source source,
      BatchSource right,
      String leftOn,
      String rightOn,
      LanceSchema columns,
      int batchSize) {
    this.left = new LeftKeys(source, leftOn, batchSize);
    this.columns = columns;
    this.right = JoinedRows.read(right, rightOn, left.field(), columns, source.allocator());
  }

  @Override
  public void write(FragmentMetadata fragment, ColumnFileWriter writer) {
    left.forEach(
        fragment,
        keys -> {
          int[] rows = right.find(keys);
          requireNullable(rows);
          List<ArrayData> arrays = right.gather(rows);
          try {
            writer.write(arrays, rows.length);
          } finally {
            arrays.forEach(ArrayData::close);
          }
        });
  }

  private void requireNullable(int[] rows) {
    for (LanceField field : columns.fields()) {
      if (!field.nullable()) {
        for (int row : rows) {
          if (row == KeyTable.NONE) {
            throw new InvalidInputException(
                "Column '"
                    + field.name()
                    + "' may not be null, but some rows of the table have no partner; make it"
                    + " nullable");
          }
        }
      }
    }
  }

  @Override
  public void close() {
    right.close();
  }
}
