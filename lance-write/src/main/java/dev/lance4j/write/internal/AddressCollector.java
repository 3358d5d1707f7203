package dev.lance4j.write.internal;

import dev.lance4j.rowid.RowAddressSet;
import org.apache.arrow.vector.UInt8Vector;

/** Collects the addresses of rows from the batches of a scan. */
public final class AddressCollector {
  private final RowAddressSet.Builder rows = RowAddressSet.builder();
  private long[] batch = new long[0];

  /** Adds the values of a column {@code _rowaddr}. */
  public void add(UInt8Vector addresses) {
    int count = addresses.getValueCount();
    if (batch.length < count) {
      batch = new long[count];
    }
    for (int i = 0; i < count; i++) {
      batch[i] = addresses.get(i);
    }
    rows.add(batch, 0, count);
  }

  /** The addresses added; to be called once. */
  public RowAddressSet build() {
    return rows.build();
  }
}
