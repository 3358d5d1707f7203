package dev.lance4j.scan.internal;

/** Tells where the rows of a batch are. */
public interface RowPositions {
  /** The values of a virtual column, one for each row. */
  long[] of(ScanColumn.Virtual column);
}
