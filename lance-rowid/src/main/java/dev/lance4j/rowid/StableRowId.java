package dev.lance4j.rowid;

/**
 * The name of a row that stays the same while the row moves. It says nothing about where the row
 * is; {@link RowIdIndex} does.
 *
 * @param value an unsigned 64-bit number
 */
public record StableRowId(long value) {
  @Override
  public String toString() {
    return Long.toUnsignedString(value);
  }
}
