package dev.lance4j;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Blob;
import dev.lance4j.scan.BlobTake;
import dev.lance4j.scan.Delta;
import dev.lance4j.scan.RowCounts;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.Take;
import dev.lance4j.table.Cleanup;
import dev.lance4j.table.CleanupPolicy;
import dev.lance4j.table.CleanupResult;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import dev.lance4j.table.VersionSummary;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.Delete;
import dev.lance4j.write.Insert;
import dev.lance4j.write.InsertOptions;
import dev.lance4j.write.RetryOptions;
import dev.lance4j.write.RowChange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * One version of a table. Immutable and safe for use by many threads. What changes a table returns
 * the next version as another dataset and leaves this one as it is. Each dataset must be closed;
 * those that came from one another share memory, which is freed with the last of them.
 */
public final class Dataset implements AutoCloseable {
  private final Environment environment;
  private final TableVersion version;
  private final AtomicBoolean closed = new AtomicBoolean();

  Dataset(Environment environment, TableVersion version) {
    this.environment = environment;
    this.version = version;
    environment.retain();
  }

  /**
   * Opens the newest version of a table.
   *
   * @param uri a path or URI
   * @throws dev.lance4j.format.DatasetNotFoundException if there is no table
   * @throws dev.lance4j.format.CorruptFileException if its manifest is damaged
   * @throws dev.lance4j.format.UnsupportedFormatException if it uses features that are not known
   */
  public static Dataset open(String uri) {
    return open(uri, OpenOptions.defaults());
  }

  /**
   * Opens a version of a table; errors as above.
   *
   * @throws dev.lance4j.format.VersionNotFoundException if there is no such version
   */
  public static Dataset open(String uri, OpenOptions options) {
    Environment environment = Environment.of(uri, options);
    try {
      TableVersion version =
          options.version().isPresent()
              ? environment.table().version(options.version().getAsLong())
              : environment.table().latest();
      return new Dataset(environment, version);
    } catch (RuntimeException | Error e) {
      environment.release();
      throw e;
    }
  }

  /** Starts writing a table. */
  public static WriteBuilder write(String uri) {
    return new WriteBuilder(uri);
  }

  /** Starts the commit of an operation whose files are written already. */
  public static CommitBuilder commit(String uri) {
    return new CommitBuilder(uri);
  }

  /**
   * Commits an operation whose files are written already, such as fragments of many {@link
   * FragmentWriter}s; result and errors as {@link CommitBuilder#execute(Operation, long)} has them.
   */
  public static Dataset commit(String uri, Operation operation, long readVersion) {
    return commit(uri).execute(operation, readVersion);
  }

  /** What the table was opened as, made absolute. */
  public String uri() {
    return version.table().uri();
  }

  /** The number of this version. */
  public long version() {
    return version.version();
  }

  /** All versions of the table, ascending. */
  public List<VersionSummary> versions() {
    return version.table().versions();
  }

  /** The columns; dictionary columns have the type of their values. */
  public Schema schema() {
    return lanceSchema().toArrow();
  }

  /** The columns with their field ids. */
  public LanceSchema lanceSchema() {
    return version.manifest().schema();
  }

  /** The settings of the table. */
  public Map<String, String> config() {
    return version.manifest().config();
  }

  /** The fragments, in the order in which they are scanned. */
  public List<FragmentMetadata> fragments() {
    return version.manifest().fragments();
  }

  /** The number of rows, from metadata. */
  public long countRows() {
    return RowCounts.liveRows(source());
  }

  /**
   * The number of rows for which a condition is true.
   *
   * @param filter see {@link Scan#where(String)}
   */
  public long countRows(String filter) {
    return scan().where(filter).count();
  }

  /**
   * Another version of the table.
   *
   * @throws dev.lance4j.format.VersionNotFoundException if there is no such version
   */
  public Dataset checkout(long number) {
    return new Dataset(environment, version.table().version(number));
  }

  /** The newest version of the table. */
  public Dataset latest() {
    return new Dataset(environment, version.table().latest());
  }

  /**
   * Makes this version the newest one again; the versions in between stay readable.
   *
   * @return the next version, with the rows of this one
   * @throws dev.lance4j.format.CommitConflictException if somebody else changes the table meanwhile
   */
  public Dataset restore() {
    TableVersion latest = version.table().latest();
    Transaction transaction =
        Transaction.of(latest.version(), new Operation.Restore(version.version()));
    Committer committer = new Committer(version.table(), CommitOptions.DEFAULT);
    return new Dataset(environment, committer.commit(latest, transaction));
  }

  /** Whether rows keep their ids when they move; decided when the table was created. */
  public boolean hasStableRowIds() {
    return version.manifest().hasStableRowIds();
  }

  /**
   * The rows of this version that were inserted or updated after one version and up to another.
   *
   * @param from the version after which changes count; 0 stands for the time before the first
   * @param to the last version whose changes count, this one or an earlier one
   * @throws InvalidInputException if the table has no stable row ids, or the versions are not in
   *     order
   */
  public Delta delta(long from, long to) {
    return new Delta(source(), from, to);
  }

  /** All rows and columns, to be narrowed down. */
  public Scan scan() {
    return new Scan(source());
  }

  private Scan.Source source() {
    if (closed.get()) {
      throw new IllegalStateException(version + " is closed");
    }
    return new Scan.Source(version, environment.session(), environment.allocator());
  }

  /**
   * Rows by position, in the order asked for.
   *
   * @param positions among the rows that are not deleted, from 0 on; may repeat
   * @param columns to read; all when none are named
   * @throws InvalidInputException if there is no such row or column
   */
  public ArrowReader take(long[] positions, String... columns) {
    return new Take(source(), columns).byPosition(positions);
  }

  /**
   * Rows by row id, in the order asked for. Rows that are not there, or not any more, are left out.
   *
   * @param rowIds as in the column {@code _rowid} of a scan; may repeat
   * @param columns to read; all when none are named
   */
  public ArrowReader takeRows(long[] rowIds, String... columns) {
    return new Take(source(), columns).byRowId(rowIds);
  }

  /**
   * Values of a blob column by row id, in the order asked for, of which nothing is read before it
   * is asked for. Rows that are not there, or not any more, are left out.
   *
   * @param rowIds as in the column {@code _rowid} of a scan; may repeat
   * @param column a blob column: of the extension type {@code lance.blob.v2}, or large binary with
   *     {@code lance-encoding:blob} in its metadata
   * @return a blob for each row, to be closed by the caller before the dataset; null where the
   *     value is null
   * @throws InvalidInputException if there is no such column or it does not hold blobs
   */
  public List<Blob> takeBlobs(long[] rowIds, String column) {
    return new BlobTake(source(), column).byRowId(rowIds);
  }

  /**
   * Values of a blob column by position; as above.
   *
   * @param positions among the rows that are not deleted, from 0 on; may repeat
   * @throws InvalidInputException also if there is no such row
   */
  public List<Blob> takeBlobsByPosition(long[] positions, String column) {
    return new BlobTake(source(), column).byPosition(positions);
  }

  /**
   * The first rows.
   *
   * @param rows how many at most
   * @param columns to read; all when none are named
   */
  public ArrowReader head(long rows, String... columns) {
    Scan scan = scan().limit(rows);
    return (columns.length == 0 ? scan : scan.select(columns)).open();
  }

  /**
   * Adds the rows of a reader, which stays the caller's to close.
   *
   * @return the next version
   * @throws dev.lance4j.format.SchemaMismatchException if the rows do not fit the table
   */
  public Dataset append(ArrowReader reader) {
    return append(BatchSource.of(reader));
  }

  /** Adds the rows of one batch without dictionary-encoded columns; errors as above. */
  public Dataset append(VectorSchemaRoot batch) {
    return append(BatchSource.of(batch, null));
  }

  /** Adds rows from anywhere; errors as above. */
  public Dataset append(BatchSource source) {
    Insert insert = new Insert(version.table(), InsertOptions.defaults(environment.allocator()));
    return new Dataset(environment, insert.append(version, source));
  }

  /**
   * Deletes the rows for which a condition is true, starting over on the newest version when others
   * deleted or updated some of the same rows meanwhile. When it is true for none, there is no new
   * version.
   *
   * @param predicate see {@link Scan#where(String)}
   * @throws InvalidInputException if it does not fit the table
   * @throws dev.lance4j.format.TooMuchContentionException if others did so again and again
   * @throws dev.lance4j.format.CommitConflictException if others replaced the whole table
   */
  public DeleteResult delete(String predicate) {
    return delete(predicate, RetryOptions.DEFAULT);
  }

  /**
   * Deletes rows; as above.
   *
   * @param retries how often and how long to start over
   */
  public DeleteResult delete(String predicate, RetryOptions retries) {
    Delete.Result result = new Delete(source(), predicate, retries).execute();
    return new DeleteResult(new Dataset(environment, result.version()), result.rowsDeleted());
  }

  /** Deletes all rows; as above. The columns stay. */
  public DeleteResult truncate() {
    return delete("true");
  }

  /**
   * Writes the deletion files for a delete without committing, for engines that commit themselves.
   *
   * @param predicate see {@link Scan#where(String)}
   * @return nothing when no row matches
   * @throws InvalidInputException if it does not fit the table
   */
  public Optional<RowChange> uncommittedDelete(String predicate) {
    return new Delete(source(), predicate, RetryOptions.DEFAULT).uncommitted();
  }

  /** Starts an update of rows. */
  public UpdateBuilder update() {
    return new UpdateBuilder(environment, source());
  }

  /**
   * Starts merging rows into the table, which are matched to those that are there by their keys.
   *
   * @param on the key columns; none for the declared primary key
   */
  public MergeInsertBuilder mergeInsert(String... on) {
    return new MergeInsertBuilder(environment, source(), List.of(on));
  }

  /**
   * Removes old versions, the files that only they need, and the files of failed writes.
   *
   * @param policy which versions are old; this one and later ones stay in any case
   * @return what was removed
   * @throws InvalidInputException if a version that would go has a tag and the policy makes that an
   *     error
   * @see Cleanup
   */
  public CleanupResult cleanup(CleanupPolicy policy) {
    return new Cleanup(policy).run(version);
  }

  FragmentWriter fragmentWriter() {
    return FragmentWriter.to(version.table().path(), lanceSchema())
        .fileVersion(version.manifest().storageVersion())
        .allocator(environment.allocator())
        .store(version.table().store());
  }

  /** The allocator that reads and writes take memory from. */
  public BufferAllocator allocator() {
    return environment.allocator();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      environment.release();
    }
  }

  @Override
  public String toString() {
    return version.toString();
  }
}
