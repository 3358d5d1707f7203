package dev.lance4j.scan.internal;

import dev.lance4j.format.schema.LanceField;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** A column that a scan gives: one that is stored, or one that follows from where a row is. */
public sealed interface ScanColumn {
  /** The column as Arrow sees it. */
  Field field();

  /**
   * A column of the table's schema, perhaps only a part of it.
   *
   * @param stored the column as it is read
   * @param change what is made of what is read
   * @param field the column as Arrow sees it
   */
  record Stored(LanceField stored, Change change, Field field) implements ScanColumn {
    /** What is made of a column between reading and giving it. */
    enum Change {
      NONE,
      /** Binary JSON is given as text. */
      JSON_TEXT,
      /** Descriptors of blobs are replaced by their bytes. */
      BLOB_BYTES
    }

    /** A column whose blobs are given by their descriptors and JSON as text. */
    static Stored of(LanceField stored) {
      LanceField described = BlobFields.described(stored);
      return JsonColumn.isJson(described)
          ? new Stored(described, Change.JSON_TEXT, JsonColumn.text(described))
          : new Stored(described, Change.NONE, described.toArrow());
    }

    /** The same column, whose blobs are given by their bytes. */
    Stored withBlobBytes() {
      if (change == Change.JSON_TEXT) {
        return this;
      }
      LanceField bytes = BlobFields.bytes(stored);
      return BlobBytes.hasDescriptors(bytes)
          ? new Stored(bytes, Change.BLOB_BYTES, BlobFields.allBytes(bytes).toArrow())
          : new Stored(bytes, Change.NONE, bytes.toArrow());
    }

    /** The same column with its values as the table stores them. */
    Stored asStored() {
      LanceField bytes = BlobFields.bytes(stored);
      return new Stored(bytes, Change.NONE, bytes.toArrow());
    }
  }

  /** A column that no file holds. */
  enum Virtual implements ScanColumn {
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

    Virtual(String columnName) {
      this.columnName = columnName;
    }

    @Override
    public Field field() {
      return new Field(columnName, FieldType.nullable(new ArrowType.Int(Long.SIZE, false)), null);
    }

    /** The virtual column of this name, or null. */
    public static Virtual named(String name) {
      for (Virtual column : values()) {
        if (column.columnName.equals(name)) {
          return column;
        }
      }
      return null;
    }
  }
}
