package dev.lance4j.index.internal.segment;

import dev.lance4j.rowid.RowAddress;

/** Says under which number a row that a segment knows goes into another one. */
@FunctionalInterface
public interface RowTranslation {
  /** In place of a number, for rows that do not go there. */
  long GONE = RowAddress.NONE;

  /** Keeps all rows as they are. */
  RowTranslation KEEP = row -> row;

  /**
   * The new number of a row, or {@link #GONE}.
   *
   * @param row the number that is stored: an address or a stable row id
   */
  long translate(long row);
}
