package dev.lance4j.scan.internal.read;

import dev.lance4j.format.internal.page.RowRanges;

/**
 * Rows of one fragment that are read and worked on together, by one thread. A user of the fragment
 * until it is closed.
 *
 * @param offsets of the rows in the fragment
 */
public record Morsel(ScanFragment fragment, RowRanges offsets) implements AutoCloseable {
  @Override
  public void close() {
    fragment.close();
  }
}
