package dev.lance4j.scan.internal.read;

import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowIdSequence;
import dev.lance4j.rowid.RowVersionSequence;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.column.VirtualColumn;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.StableRows;
import java.util.Arrays;

/**
 * Some rows of one fragment, which need not be read to tell what their virtual columns hold.
 *
 * @param source of the rows
 * @param fragment the fragment
 * @param offsets the rows in it
 * @param positions where the fragments start among the live rows of the table
 */
public record FragmentRows(
    Scan.Source source, FragmentMetadata fragment, RowRanges offsets, FragmentPositions positions) {
  // What rows have in tables that do not record versions.
  private static final long FIRST_VERSION = 1;

  /** The values of a virtual column, one for each row. */
  long[] of(VirtualColumn column) {
    return switch (column) {
      case ROW_ID -> isStable() ? rowIds() : rowAddresses();
      case ROW_ADDRESS -> rowAddresses();
      case ROW_OFFSET -> rowOffsets();
      case CREATED_VERSION ->
          isStable() ? versions(stableRows().createdVersions(fragment)) : firstVersions();
      case LAST_UPDATED_VERSION ->
          isStable() ? versions(stableRows().lastUpdatedVersions(fragment)) : firstVersions();
    };
  }

  private boolean isStable() {
    return source.version().manifest().hasStableRowIds();
  }

  private StableRows stableRows() {
    return new StableRows(source.version(), source.session());
  }

  private long[] values() {
    return new long[Math.toIntExact(offsets.rows())];
  }

  private long[] rowAddresses() {
    long[] values = values();
    int n = 0;
    for (int i = 0; i < offsets.size(); i++) {
      for (long offset = offsets.start(i); offset < offsets.end(i); offset++) {
        values[n++] = RowAddress.pack(fragment.id(), offset);
      }
    }
    return values;
  }

  private long[] rowIds() {
    RowIdSequence rowIds = stableRows().rowIds(fragment);
    long[] values = values();
    int n = 0;
    for (int i = 0; i < offsets.size(); i++) {
      int count = (int) (offsets.end(i) - offsets.start(i));
      rowIds.copy(offsets.start(i), count, values, n);
      n += count;
    }
    return values;
  }

  private long[] versions(RowVersionSequence versions) {
    long[] values = values();
    int n = 0;
    for (int i = 0; i < offsets.size(); i++) {
      int count = (int) (offsets.end(i) - offsets.start(i));
      versions.copy(offsets.start(i), count, values, n);
      n += count;
    }
    return values;
  }

  private long[] firstVersions() {
    long[] values = values();
    Arrays.fill(values, FIRST_VERSION);
    return values;
  }

  private long[] rowOffsets() {
    DeletionVector deletions = DeletionFiles.read(source.version(), fragment, source.session());
    long first = positions.first(fragment);
    long[] values = values();
    int n = 0;
    for (int i = 0; i < offsets.size(); i++) {
      long start = offsets.start(i);
      long end = offsets.end(i);
      long position = first + start - deletions.deletedBefore(start);
      boolean allLive = deletions.deletedBefore(start) == deletions.deletedBefore(end);
      for (long offset = start; offset < end; offset++) {
        values[n++] = position;
        position += allLive || !deletions.contains(offset) ? 1 : 0;
      }
    }
    return values;
  }
}
