package dev.lance4j.benchmarks;

/** An index on a column of {@link IndexRows}. */
public enum SampleIndex {
  /** A BTree on the keys, each of which one row has. */
  BTREE(IndexRows.KEY),
  /** A bitmap on the 100 categories. */
  BITMAP(IndexRows.CATEGORY);

  private final String column;

  SampleIndex(String column) {
    this.column = column;
  }

  String column() {
    return column;
  }
}
