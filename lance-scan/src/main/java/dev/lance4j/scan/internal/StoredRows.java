package dev.lance4j.scan.internal;

import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.column.BlobFields;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.column.ValueForm;
import dev.lance4j.scan.internal.column.VirtualColumn;
import dev.lance4j.scan.internal.plan.BatchSize;
import dev.lance4j.scan.internal.plan.Parallelism;
import dev.lance4j.scan.internal.plan.Planner;
import dev.lance4j.scan.internal.plan.ScanRequest;
import dev.lance4j.scan.internal.plan.ScanRun;
import dev.lance4j.scan.internal.plan.Selection;
import dev.lance4j.scan.internal.plan.Threads;
import dev.lance4j.scan.internal.sort.SortedRows;
import dev.lance4j.table.FragmentMetadata;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Rows as the table stores their values, in order, for writing them anew or for computing others
 * from them. Nothing is read ahead.
 */
public final class StoredRows {
  private final ScanRequest request;

  private StoredRows(ScanRequest request) {
    this.request = request;
  }

  /**
   * Rows with all columns of the table.
   *
   * @param condition which rows; all if absent
   * @param added virtual columns after those of the table
   * @param batchRows the most rows of a batch
   */
  public static StoredRows whole(
      Scan.Source source,
      Optional<Expression> condition,
      Collection<VirtualColumn> added,
      int batchRows) {
    Selection columns = Selection.ALL;
    for (VirtualColumn column : added) {
      columns = columns.with(column);
    }
    return new StoredRows(request(source, columns, batchRows).condition(condition.orElse(null)));
  }

  /**
   * All rows with some columns.
   *
   * @param columns stored, virtual or computed ones
   * @param batchRows the most rows of a batch
   * @throws dev.lance4j.format.InvalidInputException if there is no such column
   */
  public static StoredRows of(Scan.Source source, List<Selection.Item> columns, int batchRows) {
    return new StoredRows(request(source, Selection.ALL.and(columns), batchRows));
  }

  private static ScanRequest request(Scan.Source source, Selection columns, int batchRows) {
    return new ScanRequest(
            source,
            new BatchSize(batchRows, Long.MAX_VALUE),
            new Parallelism(Threads.shared(), 0, true),
            new SortedRows.Memory(Scan.DEFAULT_SORT_MEMORY_BYTES, null))
        .selection(columns.with(ValueForm.STORED));
  }

  /** Those of the rows that are in one fragment. */
  public StoredRows in(FragmentMetadata fragment) {
    return new StoredRows(request.fragments(List.of(fragment)));
  }

  /** The schema of the batches. */
  public Schema schema() {
    List<Field> fields =
        request.selection().columns(table()).stream().map(OutputColumn::field).toList();
    return new Schema(fields);
  }

  private LanceSchema table() {
    return BlobFields.asRead(request.source().version().manifest().schema());
  }

  /** Starts reading. */
  public ArrayBatchReader.Source open() {
    return new ScanRun(Planner.plan(request), null);
  }
}
