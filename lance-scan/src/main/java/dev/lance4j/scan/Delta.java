package dev.lance4j.scan;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.internal.ChangedRows;
import dev.lance4j.scan.internal.column.BlobFields;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.column.OutputColumns;
import dev.lance4j.scan.internal.column.ValueForm;
import dev.lance4j.scan.internal.column.VirtualColumn;
import dev.lance4j.scan.internal.read.RowReader;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.StableRows;
import dev.lance4j.table.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.roaringbitmap.RoaringBitmap;

/**
 * What changed in a table with stable row ids from one version to another, as far as the rows are
 * still there. A row that was updated several times counts once, by its last update; rows that were
 * deleted do not count. Immutable.
 */
public final class Delta {
  private static final long LAST_OF_ALL = -1;
  private static final List<VirtualColumn> ADDED =
      List.of(
          VirtualColumn.ROW_ID, VirtualColumn.CREATED_VERSION, VirtualColumn.LAST_UPDATED_VERSION);

  private final Scan.Source source;
  private final StableRows rows;
  private final long from;
  private final long to;

  /**
   * A delta.
   *
   * @param source of the rows, at version {@code to} or a later one
   * @param from the version after which changes count; 0 stands for the time before the first
   * @param to the last version whose changes count
   * @throws InvalidInputException if the table has no stable row ids, or the versions are not in
   *     order, or not all known to the source's version
   */
  public Delta(Scan.Source source, long from, long to) {
    this.source = source;
    this.rows = new StableRows(source.version(), source.session());
    this.from = from;
    this.to = to;
    if (from < 0 || to < from || to > source.version().version()) {
      throw new InvalidInputException(
          "There is no delta from version "
              + from
              + " to version "
              + to
              + " in "
              + source.version()
              + "; give versions up to it, the earlier one first");
    }
  }

  /** The version after which changes count. */
  public long from() {
    return from;
  }

  /** The last version whose changes count. */
  public long to() {
    return to;
  }

  /**
   * The rows that were inserted, with all columns and {@code _rowid}, {@code
   * _row_created_at_version} and {@code _row_last_updated_at_version}. The reader must be closed.
   */
  public ArrowReader inserted() {
    return open(fragment -> rows.createdVersions(fragment).offsets(from, to));
  }

  /** The rows that were there before and were updated; as above. */
  public ArrowReader updated() {
    return open(
        fragment -> {
          RoaringBitmap updated = rows.lastUpdatedVersions(fragment).offsets(from, to);
          updated.andNot(rows.createdVersions(fragment).offsets(from, LAST_OF_ALL));
          return updated;
        });
  }

  /**
   * The transactions that led from one version to the other, oldest first. Those of versions that
   * do not record theirs are left out.
   *
   * @throws dev.lance4j.format.VersionNotFoundException if one of the versions was cleaned up
   */
  public List<Transaction> transactions() {
    List<Transaction> transactions = new ArrayList<>();
    for (long version = from + 1; version <= to; version++) {
      source.version().table().version(version).transaction().ifPresent(transactions::add);
    }
    return transactions;
  }

  private ArrowReader open(Function<FragmentMetadata, RoaringBitmap> chosen) {
    LanceSchema table = BlobFields.asRead(source.version().manifest().schema());
    List<OutputColumn> columns = new OutputColumns(table, ValueForm.DESCRIBED).all();
    for (VirtualColumn column : ADDED) {
      columns.add(new OutputColumn.Place(column, column.field()));
    }
    RowReader reader = new RowReader(columns, table);
    return new ArrayBatchReader(
        source.allocator(),
        reader.schema(),
        new ChangedRows(source, reader, chosen, Scan.DEFAULT_BATCH_SIZE));
  }
}
