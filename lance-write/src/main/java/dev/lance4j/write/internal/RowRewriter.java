package dev.lance4j.write.internal;

import dev.lance4j.format.internal.blob.PendingBlobs;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.StoredRows;
import dev.lance4j.scan.internal.column.VirtualColumn;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Manifest;
import dev.lance4j.write.InsertOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Writes rows of a version anew, with some columns set to other values. Holds no more in memory
 * than a scan reads ahead and what waits to be written, besides a few bits or bytes for each row.
 * Used once.
 */
public final class RowRewriter {
  private final Scan.Source source;
  private final Optional<Expression> condition;
  private final Assignments assignments;
  private final InsertOptions options;
  private final Manifest manifest;
  private final AddressCollector addresses = new AddressCollector();
  private final MovedRowIds rowIds = new MovedRowIds();

  /**
   * @param condition which rows; all if absent
   */
  public RowRewriter(
      Scan.Source source,
      Optional<Expression> condition,
      Assignments assignments,
      InsertOptions options) {
    this.source = source;
    this.condition = condition;
    this.assignments = assignments;
    this.options = options;
    this.manifest = source.version().manifest();
  }

  /**
   * Writes the rows.
   *
   * @param betweenBatches called before each batch; what it throws ends the work
   * @return the new fragments, with the stable ids of their rows if the table has such
   */
  public List<FragmentMetadata> write(Runnable betweenBatches) {
    StoredRows rows = rowsBefore();
    KeptBatches batches = new KeptBatches(rows.open());
    LanceSchema schema = manifest.schema();
    try (ArrayBatchReader reader =
            new ArrayBatchReader(source.allocator(), rows.schema(), batches);
        DataWriter writer = DataWriter.rewriting(source, schema, options)) {
      while (reader.loadNextBatch()) {
        betweenBatches.run();
        UInt8Vector rowAddresses = (UInt8Vector) reader.getVectorSchemaRoot().getVector("_rowaddr");
        List<ArrayData> stored = batches.take(schema.fields().size());
        write(
            reader,
            PendingBlobs.ofStored(schema, stored, fragmentIds(rowAddresses), source.allocator()),
            writer);
      }
      List<FragmentMetadata> fragments = writer.finish();
      return manifest.hasStableRowIds() ? rowIds.assign(fragments) : fragments;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(ArrayBatchReader reader, List<ArrayData> arrays, DataWriter writer)
      throws IOException {
    try {
      VectorSchemaRoot batch = reader.getVectorSchemaRoot();
      assignments.apply(batch, reader, arrays, source.allocator());
      writer.write(arrays, batch.getRowCount());
      addresses.add((UInt8Vector) batch.getVector("_rowaddr"));
      if (manifest.hasStableRowIds()) {
        rowIds.add((UInt8Vector) batch.getVector("_rowid"));
      }
    } finally {
      arrays.forEach(ArrayData::close);
    }
  }

  private static long[] fragmentIds(UInt8Vector rowAddresses) {
    long[] ids = new long[rowAddresses.getValueCount()];
    for (int row = 0; row < ids.length; row++) {
      ids[row] = RowAddress.fragmentId(rowAddresses.get(row));
    }
    return ids;
  }

  private StoredRows rowsBefore() {
    List<VirtualColumn> columns = new ArrayList<>(assignments.virtualColumns());
    columns.add(VirtualColumn.ROW_ADDRESS);
    if (manifest.hasStableRowIds()) {
      columns.add(VirtualColumn.ROW_ID);
    }
    return StoredRows.whole(source, condition, columns, BatchRows.of(manifest.fragments()));
  }

  /** The addresses of the rows that were written; to be called once, afterwards. */
  public RowAddressSet rows() {
    return addresses.build();
  }
}
