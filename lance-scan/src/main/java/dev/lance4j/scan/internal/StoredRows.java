package dev.lance4j.scan.internal;

import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.sort.SortedRows;
import dev.lance4j.format.schema.FieldPath;
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
import dev.lance4j.table.FragmentMetadata;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Rows in the order of the table, with values as the table stores them, for writing them anew or
 * computing others from them. Immutable.
 */
public final class StoredRows {
  private final ScanRequest request;

  private StoredRows(ScanRequest request) {
    this.request = request;
  }

  /**
   * Rows with all columns.
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
    return of(source, columns, batchRows).where(condition);
  }

  /**
   * All rows with some columns.
   *
   * @param names of columns of the table, or virtual ones
   * @param batchRows the most rows of a batch
   * @throws dev.lance4j.format.InvalidInputException if there is no such column
   */
  public static StoredRows columns(Scan.Source source, List<String> names, int batchRows) {
    List<Selection.Item> items =
        names.stream()
            .map(name -> new Selection.Item(name, FieldPath.format(List.of(name)), null))
            .toList();
    StoredRows rows = of(source, Selection.ALL.and(items), batchRows);
    rows.schema();
    return rows;
  }

  private static StoredRows of(Scan.Source source, Selection columns, int batchRows) {
    ScanRequest all =
        new ScanRequest(
            source,
            new BatchSize(batchRows, Long.MAX_VALUE),
            new Parallelism(Threads.shared(), Scan.DEFAULT_READ_AHEAD_BYTES, true),
            new SortedRows.Memory(Scan.DEFAULT_SORT_MEMORY_BYTES, null));
    return new StoredRows(all.selection(columns.with(ValueForm.STORED)));
  }

  private StoredRows where(Optional<Expression> condition) {
    return new StoredRows(request.condition(condition.orElse(null)));
  }

  /** Only the rows of a fragment. */
  public StoredRows in(FragmentMetadata fragment) {
    return in(List.of(fragment));
  }

  /** Only the rows of some fragments, in this order. */
  public StoredRows in(List<FragmentMetadata> fragments) {
    return new StoredRows(request.fragments(fragments));
  }

  /** With so many bytes of batches read ahead at most. */
  public StoredRows readAhead(long bytes) {
    Parallelism old = request.parallelism();
    return new StoredRows(
        request.parallelism(new Parallelism(old.executor(), bytes, old.ordered())));
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
