package dev.lance4j;

import dev.lance4j.format.DatasetNotFoundException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.ManifestLocation;
import dev.lance4j.table.ManifestStore;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Session;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Commits an operation whose files are written already. Options first, then one of the {@code
 * execute} methods. Not safe for use by many threads.
 */
public final class CommitBuilder {
  private final String uri;
  private final OpenOptions.Builder open = OpenOptions.builder();
  private CommitOptions options = CommitOptions.DEFAULT;
  private Map<String, String> properties = Map.of();
  private Optional<RowAddressSet> affectedRows = Optional.empty();

  CommitBuilder(String uri) {
    this.uri = uri;
  }

  /**
   * How often to try again after somebody else was faster, 20 times unless set. With 0 an overwrite
   * succeeds only if nothing at all was committed since the version that it read.
   */
  public CommitBuilder maxRetries(int retries) {
    options = options.withMaxRetries(retries);
    return this;
  }

  /** Whether the rows of a new table keep their ids when they move; see {@link WriteBuilder}. */
  public CommitBuilder stableRowIds(boolean stable) {
    options = options.withStableRowIds(stable);
    return this;
  }

  /** The version of the data files of a new or overwritten table; that of its files unless set. */
  public CommitBuilder fileVersion(FileVersion version) {
    options = options.withFileVersion(version);
    return this;
  }

  /** Whether the clean-up that the table's settings ask for is left out. */
  public CommitBuilder skipAutoCleanup(boolean skip) {
    options = options.withSkipAutoCleanup(skip);
    return this;
  }

  /** What to record about the commit; {@link Transaction#COMMIT_MESSAGE} holds a message. */
  public CommitBuilder properties(Map<String, String> entries) {
    properties = Map.copyOf(entries);
    return this;
  }

  /**
   * The rows that a delete or update deletes or moves, without which it is in conflict with
   * whatever changed the same fragments.
   *
   * @param addresses in the version that the operation read; see {@link
   *     Committer#commit(TableVersion, Transaction, RowAddressSet)}
   */
  public CommitBuilder affectedRows(RowAddressSet addresses) {
    affectedRows = Optional.of(addresses);
    return this;
  }

  /** See {@link OpenOptions.Builder#allocator}. */
  public CommitBuilder allocator(BufferAllocator allocator) {
    open.allocator(allocator);
    return this;
  }

  /** See {@link OpenOptions.Builder#session}. */
  public CommitBuilder session(Session session) {
    open.session(session);
    return this;
  }

  /** See {@link OpenOptions.Builder#store}. */
  public CommitBuilder store(ObjectStore store) {
    open.store(store);
    return this;
  }

  /** See {@link OpenOptions.Builder#manifestStore}. */
  public CommitBuilder manifestStore(ManifestStore manifests) {
    open.manifestStore(manifests);
    return this;
  }

  /** See {@link OpenOptions.Builder#storageOptions}. */
  public CommitBuilder storageOptions(Map<String, String> storageOptions) {
    open.storageOptions(storageOptions);
    return this;
  }

  /**
   * Commits an operation. The files that it names stay where they are if that fails, so that it can
   * be tried again.
   *
   * @param readVersion the version of the table that the operation was computed from; 0 for an
   *     overwrite that creates the table, or for whatever does not depend on earlier versions
   * @return the version that it led to
   * @throws DatasetNotFoundException if there is no table and the operation does not create it
   * @throws dev.lance4j.format.CommitConflictException if what others committed since does not go
   *     with it
   * @throws dev.lance4j.format.InvalidInputException if it does not fit the table
   * @throws dev.lance4j.format.VersionNotFoundException if there is no version that was read
   */
  public Dataset execute(Operation operation, long readVersion) {
    return execute(Transaction.of(readVersion, operation).withProperties(properties));
  }

  /** Commits a transaction with its own properties; result and errors as above. */
  public Dataset execute(Transaction transaction) {
    Environment environment = Environment.of(uri, open.build());
    try {
      return new Dataset(environment, commit(environment.table(), transaction));
    } catch (RuntimeException | Error e) {
      environment.release();
      throw e;
    }
  }

  private TableVersion commit(Table table, Transaction transaction) {
    Committer committer = new Committer(table, options);
    Optional<ManifestLocation> latest = table.findLatest();
    if (latest.isPresent()) {
      TableVersion handle = table.open(latest.get());
      return affectedRows.isPresent()
          ? committer.commit(handle, transaction, affectedRows.get())
          : committer.commit(handle, transaction);
    }
    if (transaction.operation().kind() == Operation.Kind.OVERWRITE) {
      return committer.create(transaction);
    }
    throw new DatasetNotFoundException(table.uri());
  }
}
