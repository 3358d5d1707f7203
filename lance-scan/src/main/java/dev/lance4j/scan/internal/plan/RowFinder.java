package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Collects the rows that a scan gives. */
final class RowFinder {
  private RowFinder() {}

  /**
   * The rows by their ids.
   *
   * @param scan of nothing but row ids
   */
  static RowSet<?> find(BatchNode scan, RowDomain<?> domain) {
    RowSet.Builder<?> rows = domain.builder();
    try (ArrayBatchReader.Source batches = scan.open()) {
      boolean more = true;
      while (more) {
        try (ArrayBatch batch = batches.next()) {
          more = batch != null;
          if (more) {
            long[] rowIds = new long[batch.rows()];
            ByteBuffer bytes =
                batch.arrays().get(0).buffer(1).nioBuffer(0, rowIds.length * Long.BYTES);
            bytes.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(rowIds);
            rows.add(rowIds, 0, rowIds.length);
          }
        }
      }
    }
    return rows.build();
  }
}
