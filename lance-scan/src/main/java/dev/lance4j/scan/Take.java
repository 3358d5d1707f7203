package dev.lance4j.scan;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.SingleBatch;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.scan.internal.column.BlobFields;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.column.OutputColumns;
import dev.lance4j.scan.internal.column.ValueForm;
import dev.lance4j.scan.internal.read.AddressReader;
import dev.lance4j.scan.internal.read.FragmentPositions;
import dev.lance4j.scan.internal.read.RowReader;
import dev.lance4j.scan.internal.read.ScanFragment;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.StableRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.ipc.ArrowReader;

/**
 * Reads single rows, wherever they are. Of a column of which only fields are named, it gives a
 * struct of these fields.
 */
public final class Take {
  private final Scan.Source source;
  private final RowReader rows;
  private final AddressReader reader;
  private final FragmentPositions positions;

  /**
   * @param columns to read; all when none are named
   * @throws InvalidInputException if there is no such column
   */
  public Take(Scan.Source source, String... columns) {
    this.source = source;
    LanceSchema table = BlobFields.asRead(source.version().manifest().schema());
    OutputColumns known = new OutputColumns(table, ValueForm.DESCRIBED);
    List<OutputColumn> wanted =
        columns.length == 0 ? known.all() : known.pruned(Arrays.asList(columns));
    this.rows = new RowReader(wanted, table);
    this.reader = new AddressReader(source, rows, false);
    this.positions = new FragmentPositions(source);
  }

  /**
   * Rows by their position among the live rows of the table, in the order asked for, repeated where
   * they are.
   *
   * @throws InvalidInputException if a position is not in the table
   */
  public ArrowReader byPosition(long[] rowPositions) {
    long[] sorted = AddressReader.distinct(rowPositions);
    List<AddressReader.Part> parts = new ArrayList<>();
    long first = 0;
    int next = 0;
    for (FragmentMetadata fragment : source.version().manifest().fragments()) {
      if (next == sorted.length) {
        break;
      }
      long live = RowCounts.liveRows(source, fragment);
      int end = next;
      while (end < sorted.length && sorted[end] < first + live) {
        end++;
      }
      if (end > next && sorted[next] >= 0) {
        parts.add(part(fragment, Arrays.copyOfRange(sorted, next, end), first));
      }
      next = end;
      first += live;
    }
    if (next < sorted.length || (sorted.length > 0 && sorted[0] < 0)) {
      long wrong = sorted[0] < 0 ? sorted[0] : sorted[next];
      throw new InvalidInputException(
          "There is no row at position " + wrong + " of " + source.version());
    }
    return reader(parts.isEmpty() ? null : reader.read(parts, sorted, rowPositions));
  }

  /** Finds positions that are all in one fragment, which starts at {@code first}. */
  private AddressReader.Part part(FragmentMetadata metadata, long[] sorted, long first) {
    long[] live = Arrays.stream(sorted).map(position -> position - first).toArray();
    try (ScanFragment fragment = ScanFragment.open(source, metadata, positions, false)) {
      return new AddressReader.Part(metadata, fragment.toOffsets(RowRanges.ofSortedRows(live)));
    }
  }

  /**
   * Rows by their id, in the order asked for, repeated where they are. Ids of rows that are deleted
   * or never were are left out.
   */
  public ArrowReader byRowId(long[] rowIds) {
    if (source.version().manifest().hasStableRowIds()) {
      StableRows stable = new StableRows(source.version(), source.session());
      return read(
          Arrays.stream(stable.rowAddresses(rowIds))
              .filter(address -> address != RowAddress.NONE)
              .toArray());
    }
    return byAddress(rowIds);
  }

  /**
   * Rows by their address, in the order asked for, repeated where they are. Addresses of rows that
   * are deleted or never were are left out.
   *
   * @param rowAddresses as in the column {@code _rowaddr} of a scan
   */
  public ArrowReader byAddress(long[] rowAddresses) {
    long[] live = live(AddressReader.distinct(rowAddresses));
    return read(
        Arrays.stream(rowAddresses)
            .filter(address -> Arrays.binarySearch(live, address) >= 0)
            .toArray());
  }

  /** Those of some addresses that are of live rows. */
  private long[] live(long[] sorted) {
    long[] live = new long[sorted.length];
    int n = 0;
    for (int start = 0; start < sorted.length; ) {
      int end = AddressReader.endOfFragment(sorted, start);
      Optional<FragmentMetadata> metadata =
          source.version().manifest().fragment(RowAddress.fragmentId(sorted[start]));
      if (metadata.isPresent()) {
        try (ScanFragment fragment = ScanFragment.open(source, metadata.get(), positions, false)) {
          for (int i = start; i < end; i++) {
            long offset = RowAddress.offset(sorted[i]);
            if (offset < fragment.physicalRows() && !fragment.deletions().contains(offset)) {
              live[n++] = sorted[i];
            }
          }
        }
      }
      start = end;
    }
    return Arrays.copyOf(live, n);
  }

  private ArrowReader read(long[] rowAddresses) {
    return reader(rowAddresses.length == 0 ? null : reader.read(rowAddresses));
  }

  private ArrowReader reader(ArrayBatch batch) {
    return new ArrayBatchReader(source.allocator(), rows.schema(), new SingleBatch(batch));
  }
}
