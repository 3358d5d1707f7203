package dev.lance4j.scan.internal;

import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.rowid.RowAddress;

/**
 * The rows of a batch of one fragment.
 *
 * @param fragmentId the fragment
 * @param offsets the rows in it
 * @param firstPosition the position of the first row among the live rows of the table
 */
record FragmentPositions(long fragmentId, RowRanges offsets, long firstPosition)
    implements RowPositions {
  @Override
  public long[] of(ScanColumn.Virtual column) {
    long[] values = new long[(int) offsets.rows()];
    switch (column) {
      case ROW_ID, ROW_ADDRESS -> fillAddresses(values);
      case ROW_OFFSET -> {
        for (int i = 0; i < values.length; i++) {
          values[i] = firstPosition + i;
        }
      }
    }
    return values;
  }

  private void fillAddresses(long[] values) {
    int n = 0;
    for (int i = 0; i < offsets.size(); i++) {
      for (long offset = offsets.start(i); offset < offsets.end(i); offset++) {
        values[n++] = RowAddress.pack(fragmentId, offset);
      }
    }
  }
}
