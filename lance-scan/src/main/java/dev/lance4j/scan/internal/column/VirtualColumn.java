package dev.lance4j.scan.internal.column;

import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** A column that no file holds: it follows from where a row is. */
public enum VirtualColumn {
  /** The row's id: its address, unless the table has stable row ids. */
  ROW_ID("_rowid"),
  /** Where the row is: its fragment's id and its offset in the fragment. */
  ROW_ADDRESS("_rowaddr"),
  /** The row's offset among the live rows of the table. */
  ROW_OFFSET("_rowoffset"),
  /** The version in which the row was created; 1 unless the table has stable row ids. */
  CREATED_VERSION("_row_created_at_version"),
  /** The version in which the row was updated last; 1 unless the table has stable row ids. */
  LAST_UPDATED_VERSION("_row_last_updated_at_version");

  private final String columnName;

  VirtualColumn(String columnName) {
    this.columnName = columnName;
  }

  /** What users call the column. */
  public String columnName() {
    return columnName;
  }

  /** The column as Arrow sees it: unsigned 64-bit numbers. */
  public Field field() {
    return field(columnName);
  }

  /** The column under another name. */
  public Field field(String name) {
    return new Field(name, FieldType.nullable(new ArrowType.Int(Long.SIZE, false)), null);
  }

  /** The virtual column of this name, or null. */
  public static VirtualColumn named(String name) {
    for (VirtualColumn column : values()) {
      if (column.columnName.equals(name)) {
        return column;
      }
    }
    return null;
  }
}
