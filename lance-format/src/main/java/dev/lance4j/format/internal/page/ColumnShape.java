package dev.lance4j.format.internal.page;

/** What the pages of a column of a 2.0 file tell about the columns of its field. */
public enum ColumnShape {
  PLAIN,
  /** A struct whose children have no columns of their own. */
  PACKED_STRUCT,
  /** Offsets of lists, whose items are in the next column. */
  LIST
}
