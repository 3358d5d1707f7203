package dev.lance4j.format.internal.legacy;

import dev.lance4j.format.internal.page.RowRanges;
import java.util.ArrayList;
import java.util.List;

/**
 * Some values of one batch of a 0.1 file.
 *
 * @param batch the batch
 * @param start the first value in the batch's page
 * @param end the value after the last
 */
record BatchRange(int batch, long start, long end) {
  long length() {
    return end - start;
  }

  /** The parts of the selected rows that lie in each batch, in order. */
  static List<BatchRange> of(RowRanges rows, LegacyMetadata file) {
    List<BatchRange> parts = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      long row = rows.start(i);
      while (row < rows.end(i)) {
        int batch = file.batchOf(row);
        long first = file.firstRow(batch);
        long end = Math.min(rows.end(i), first + file.batchRows(batch));
        parts.add(new BatchRange(batch, row - first, end - first));
        row = end;
      }
    }
    return parts;
  }

  static int total(List<BatchRange> parts) {
    long total = 0;
    for (BatchRange part : parts) {
      total += part.length();
    }
    return Math.toIntExact(total);
  }
}
