package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowIdSequence;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.StableRows;
import dev.lance4j.write.internal.BatchRows;
import dev.lance4j.write.internal.DataWriter;
import dev.lance4j.write.internal.MovedRowIds;
import java.util.Arrays;
import java.util.List;

/**
 * Writes updated rows anew as a whole, and then inserted ones, to new fragments. In tables with
 * stable row ids the updated rows keep theirs, which is why they come first: the commit gives ids
 * to the rows that are left at the end.
 */
final class RewrittenRows implements UpdatedRows {
  private final Scan.Source target;
  private final RowAssembler assembler;
  private final DataWriter writer;
  private final TargetLookup lookup;
  private final StableRows stableRows;
  private final MovedRowIds movedRowIds = new MovedRowIds();
  private final int[] sourceRows;
  private final long[] addresses;
  private int size;

  /**
   * @param written the table's columns, or those of the source if there are no updates
   */
  RewrittenRows(MergePlan plan, Scan.Source target, LanceSchema written, DataWriter writer) {
    this.target = target;
    this.writer = writer;
    int batchRows = BatchRows.of(target.version().manifest().fragments());
    this.sourceRows = new int[batchRows];
    this.addresses = new long[batchRows];
    this.assembler = new RowAssembler(written, plan.source(), target.allocator());
    this.lookup = new TargetLookup(target, assembler.rest());
    this.stableRows =
        target.version().manifest().hasStableRowIds()
            ? new StableRows(target.version(), target.session())
            : null;
  }

  @Override
  public void update(SourcePart part, int[] rows, long[] rowAddresses) {
    if (stableRows != null) {
      captureIds(rowAddresses);
    }
    for (int i = 0; i < rows.length; i++) {
      if (size == sourceRows.length) {
        flush(part);
      }
      sourceRows[size] = rows[i];
      addresses[size++] = rowAddresses[i];
    }
  }

  private void captureIds(long[] rowAddresses) {
    long[] rowIds = new long[rowAddresses.length];
    for (int start = 0; start < rowAddresses.length; ) {
      int end = TargetLookup.endOfFragment(rowAddresses, start);
      long fragmentId = RowAddress.fragmentId(rowAddresses[start]);
      RowIdSequence ids =
          stableRows.rowIds(target.version().manifest().fragment(fragmentId).orElseThrow());
      for (int i = start; i < end; i++) {
        rowIds[i] = ids.rowId(RowAddress.offset(rowAddresses[i]));
      }
      start = end;
    }
    movedRowIds.add(rowIds, rowIds.length);
  }

  @Override
  public void flush(SourcePart part) {
    if (size == 0) {
      return;
    }
    int[] rows = Arrays.copyOf(sourceRows, size);
    List<ArrayData> old = lookup.read(Arrays.copyOf(addresses, size));
    write(assembler.updated(part, rows, old), size);
    size = 0;
  }

  @Override
  public void insert(SourcePart part, int[] rows) {
    int batchRows = sourceRows.length;
    for (int start = 0; start < rows.length; start += batchRows) {
      int[] some = Arrays.copyOfRange(rows, start, Math.min(rows.length, start + batchRows));
      write(assembler.inserted(part, some), some.length);
    }
  }

  private void write(List<ArrayData> columns, int rows) {
    try {
      writer.write(columns, rows);
    } finally {
      Columns.close(columns);
    }
  }

  @Override
  public Written finish() {
    List<FragmentMetadata> fragments = writer.finish();
    List<DataFile> files = fragments.stream().map(fragment -> fragment.files().get(0)).toList();
    return new Written(
        List.of(), stableRows == null ? fragments : movedRowIds.assign(fragments), files);
  }

  @Override
  public void close() {
    try (writer) {
      lookup.close();
    }
  }
}
