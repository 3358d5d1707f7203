package dev.lance4j.compaction.internal;

import dev.lance4j.table.FragmentMetadata;

/**
 * A fragment that may be rewritten.
 *
 * @param physicalRows number of rows, deleted ones included
 * @param deletedRows number of deleted rows
 * @param byItself whether it is worth it because of its deleted rows; otherwise only together with
 *     a neighbour, because it is small
 */
record Candidate(FragmentMetadata fragment, long physicalRows, long deletedRows, boolean byItself) {
  long liveRows() {
    return physicalRows - deletedRows;
  }

  /** About how many bytes its live rows take. */
  long liveBytes() {
    long bytes = fragment.files().stream().mapToLong(file -> file.sizeBytes()).sum();
    return physicalRows == 0 ? 0 : (long) ((double) bytes * liveRows() / physicalRows);
  }
}
