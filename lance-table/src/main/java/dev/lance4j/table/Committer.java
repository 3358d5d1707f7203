package dev.lance4j.table;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.DatasetExistsException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.TooMuchContentionException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.table.internal.AutoCleanup;
import dev.lance4j.table.internal.BackOff;
import dev.lance4j.table.internal.Basis;
import dev.lance4j.table.internal.ClonedManifest;
import dev.lance4j.table.internal.CommitValidation;
import dev.lance4j.table.internal.CommittedOperation;
import dev.lance4j.table.internal.ConflictRules;
import dev.lance4j.table.internal.FragmentSequences;
import dev.lance4j.table.internal.ManifestFile;
import dev.lance4j.table.internal.MovedRows;
import dev.lance4j.table.internal.NextManifest;
import dev.lance4j.table.internal.Rebase;
import dev.lance4j.table.internal.Repairs;
import dev.lance4j.table.internal.ReplacementRows;
import dev.lance4j.table.internal.TableState;
import dev.lance4j.table.internal.TransactionMessages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits transactions: makes the next version of a table if and only if nobody else made it
 * meanwhile, and otherwise applies the transaction to what the others made, where that is right.
 * Immutable and safe for use by many threads.
 */
public final class Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
  private static final Duration RETRY_BUDGET = Duration.ofSeconds(30);

  private final Table table;
  private final CommitOptions options;

  /**
   * @param table where to commit
   * @param options how to commit
   */
  public Committer(Table table, CommitOptions options) {
    this.table = table;
    this.options = options;
  }

  /**
   * Creates the table.
   *
   * @param transaction an overwrite with read version 0
   * @return the first version
   * @throws DatasetExistsException if there is a table already
   * @throws InvalidInputException if the transaction cannot create a table
   */
  public TableVersion create(Transaction transaction) {
    table.requireAtomicCommits();
    if (options.naming() == ManifestNaming.DETACHED) {
      throw new InvalidInputException("A new dataset cannot start with a detached version");
    }
    TableState first = NextManifest.first(transaction, options, new FragmentSequences(table));
    CommitValidation.check(transaction, first.manifest());
    if (table.findLatest().isPresent()) {
      throw new DatasetExistsException(table.uri());
    }
    return attempt(transaction, first, Optional.empty(), options.naming())
        .orElseThrow(() -> new DatasetExistsException(table.uri()));
  }

  /**
   * Commits a transaction to an existing table. A delete or update is in conflict with whatever
   * changed the same fragments.
   *
   * @param handle the version that the caller holds: the one that the transaction read, or a later
   *     one
   * @param transaction whose read version says what to check it against; with 0, everything up to
   *     the handle's version counts as known
   * @return the version that it led to
   * @throws CommitConflictException if what others committed does not go with it
   * @throws TooMuchContentionException if others were faster each time
   * @throws InvalidInputException if the transaction does not fit the table
   * @throws UnsupportedFormatException if writing the table needs what this version does not know
   */
  public TableVersion commit(TableVersion handle, Transaction transaction) {
    return commit(handle, transaction, Optional.empty());
  }

  /**
   * Commits a delete or update that knows its rows; otherwise as above. It goes with other deletes
   * and updates of the same fragments, unless they deleted or moved the same rows: then the
   * deletion files of its updated fragments are written anew with the rows of both, and those that
   * the caller wrote are removed.
   *
   * @param affectedRows the addresses, in the version that the transaction read, of all rows that
   *     it deletes or moves: those that its deletion files add, and the live ones of the fragments
   *     that it removes
   * @throws CommitConflictException also if others deleted or moved one of these rows; it is
   *     retryable
   * @throws InvalidInputException also if they are not the rows that the deletion files add
   */
  public TableVersion commit(
      TableVersion handle, Transaction transaction, RowAddressSet affectedRows) {
    return commit(handle, transaction, Optional.of(affectedRows));
  }

  private TableVersion commit(
      TableVersion handle, Transaction transaction, Optional<RowAddressSet> affectedRows) {
    table.requireAtomicCommits();
    checkWritable(handle);
    CommitValidation.check(transaction, handle.manifest());
    TableVersion base = withCurrentNaming(versionRead(handle, transaction));
    if (isStrict(transaction)) {
      Optional<TableVersion> committed =
          attempt(
              transaction, next(base, transaction), Optional.of(base), base.location().naming());
      complete(committed, base);
      return committed.orElseThrow(
          () ->
              new CommitConflictException(
                  "Commit conflict for version "
                      + (transaction.readVersion() + 1)
                      + ": Failed to commit the transaction after 0 retries.",
                  transaction.readVersion() + 1,
                  false));
    }
    Basis basis = new Basis(base.manifest(), affectedRows);
    CommitValidation.checkAffectedRows(transaction.operation(), basis);
    if (transaction.operation() instanceof Operation.Update update
        && base.manifest().hasStableRowIds()) {
      new MovedRows(base, basis).check(update);
    }
    Rebase rebase = Rebase.of(table, transaction, basis);
    BackOff backOff = new BackOff(RETRY_BUDGET);
    while (backOff.failures() < Math.max(options.maxRetries(), 1)) {
      base = checkedLatest(base, transaction.operation(), basis, rebase);
      Optional<TableVersion> committed = attempt(rebase, base);
      complete(committed, base);
      if (committed.isPresent()) {
        return committed.get();
      }
      if (!backOff.await()) {
        break;
      }
    }
    throw new TooMuchContentionException(
        "Failed to commit the transaction to "
            + table.uri()
            + " after "
            + backOff.failures()
            + " attempts, because other writers were faster each time; try again later",
        backOff.failures(),
        null);
  }

  private Optional<TableVersion> attempt(Rebase rebase, TableVersion base) {
    Rebase.Rebased rebased = rebase.onto(base);
    Optional<TableVersion> committed;
    try {
      Transaction transaction = rebased.transaction();
      committed =
          attempt(
              transaction, next(base, transaction), Optional.of(base), base.location().naming());
    } catch (LanceException e) {
      // Unlike after a failure of the store, it is known that nothing was committed.
      rebase.remove(rebased.written());
      throw e;
    }
    rebase.remove(committed.isPresent() ? rebased.superseded() : rebased.written());
    return committed;
  }

  /**
   * Commits a transaction as a version outside of the table's history: it is not listed, nobody
   * comes across it who does not know its number, and a clean-up removes it after a while. Nothing
   * that others commit conflicts with it.
   *
   * @param base the version that the transaction is applied to, perhaps a detached one
   * @return the detached version
   * @throws InvalidInputException if the transaction does not fit the base, or manifests have V1
   *     names
   * @throws TooMuchContentionException if no free number was found
   */
  public TableVersion commitDetached(TableVersion base, Transaction transaction) {
    table.requireAtomicCommits();
    FeatureFlag.checkWritable(base.manifest().writerFlags(), table.uri());
    if (base.location().naming() == ManifestNaming.V1) {
      throw new InvalidInputException(
          "Detached commits cannot be used with V1 manifest names; migrate the manifest names of "
              + table.uri()
              + " first");
    }
    CommitValidation.check(transaction, base.manifest());
    TableState next = apply(transaction, base);
    int attempts = Math.max(options.maxRetries(), 1);
    for (int i = 0; i < attempts; i++) {
      long number = ThreadLocalRandom.current().nextLong() | Long.MIN_VALUE;
      Optional<TableVersion> committed =
          attempt(
              transaction, next.withVersion(number), Optional.of(base), ManifestNaming.DETACHED);
      if (committed.isPresent()) {
        return committed.get();
      }
    }
    throw new TooMuchContentionException(
        "Found no unused number for a detached version after " + attempts + " attempts",
        attempts,
        null);
  }

  /**
   * Creates the table as a clone that shares the files of another one. Its first version has the
   * number of the version that is cloned.
   *
   * @param source the version to clone
   * @param branch the branch of the source's table that the clone is, if it is one
   * @throws DatasetExistsException if there is a table already
   * @throws UnsupportedFormatException if the source cannot be cloned
   */
  TableVersion createClone(TableVersion source, Optional<String> branch) {
    table.requireAtomicCommits();
    FeatureFlag.checkWritable(source.manifest().writerFlags(), source.table().uri());
    checkAttached(source);
    Operation.Clone operation =
        new Operation.Clone(
            true, source.manifest().branch(), source.version(), source.table().uri(), branch);
    Transaction transaction = Transaction.of(source.version(), operation);
    TableState clone = ClonedManifest.of(source, transaction, branch);
    if (table.findLatest().isPresent()) {
      throw new DatasetExistsException(table.uri());
    }
    return attempt(transaction, clone, Optional.empty(), options.naming())
        .orElseThrow(() -> new DatasetExistsException(table.uri()));
  }

  private void checkWritable(TableVersion version) {
    FeatureFlag.checkWritable(version.manifest().writerFlags(), table.uri());
    checkAttached(version);
  }

  private static void checkAttached(TableVersion version) {
    if (ManifestNaming.isDetached(version.version())) {
      throw new InvalidInputException(
          version + " is detached and has no place in the dataset's history to continue from");
    }
  }

  /** Whether nothing at all may have been committed since the version that was read. */
  private boolean isStrict(Transaction transaction) {
    return transaction.operation() instanceof Operation.Overwrite && options.maxRetries() == 0;
  }

  private TableVersion versionRead(TableVersion handle, Transaction transaction) {
    long readVersion = transaction.readVersion();
    if (readVersion == handle.version() || (readVersion == 0 && !isStrict(transaction))) {
      return handle;
    }
    TableVersion read = table.version(readVersion);
    checkWritable(read);
    return read;
  }

  // What is written next is named like the base, whose name may have been migrated meanwhile.
  private TableVersion withCurrentNaming(TableVersion base) {
    return base.location().naming() == ManifestNaming.V1 ? table.version(base.version()) : base;
  }

  /** Checks the operation against all that was committed after a version, and gives the newest. */
  private TableVersion checkedLatest(
      TableVersion base, Operation operation, Basis basis, Rebase rebase) {
    TableVersion latest = base;
    for (ManifestLocation location : table.findAfter(base.version())) {
      if (location.version() != latest.version() + 1) {
        throw new CommitConflictException(
            "Version "
                + (latest.version() + 1)
                + " of "
                + table.uri()
                + " was removed, so that nobody can tell whether it conflicts; read the newest"
                + " version and try again",
            latest.version() + 1,
            true);
      }
      TableVersion before = latest;
      latest = table.open(location);
      checkWritable(latest);
      Operation committed = CommittedOperation.of(latest, before);
      ConflictRules.check(operation, committed, basis, latest.version());
      rebase.observe(latest, committed);
    }
    return latest;
  }

  private TableState next(TableVersion base, Transaction transaction) {
    if (ManifestNaming.isDetached(base.version() + 1)) {
      throw new LanceException("The dataset " + table.uri() + " has no version numbers left");
    }
    return apply(transaction, base);
  }

  private TableState apply(Transaction transaction, TableVersion base) {
    ReplacementRows.check(base, transaction.operation());
    return NextManifest.after(
        TableState.of(base),
        transaction,
        options,
        new FragmentSequences(table),
        version -> TableState.of(table.version(version)),
        new Repairs(base)::apply);
  }

  /**
   * Writes the transaction, then the manifest; gives nothing if somebody else wrote that.
   *
   * @param base what the transaction was applied to, if there is something
   */
  private Optional<TableVersion> attempt(
      Transaction transaction,
      TableState state,
      Optional<TableVersion> base,
      ManifestNaming naming) {
    byte[] bytes = TransactionMessages.toBytes(transaction);
    String transactionPath = table.transactionPath(transaction.fileName());
    ManifestLocation location = table.manifest(state.manifest().version(), naming);
    ByteBuffer file =
        base.isPresent()
            ? base.get().file().writeNext(state.manifest(), state.indices(), bytes)
            : ManifestFile.write(state.manifest(), state.indices(), bytes);
    table.store().put(transactionPath, ByteBuffer.wrap(bytes));
    if (isPut(transactionPath, location, file, transaction)) {
      if (naming != ManifestNaming.DETACHED) {
        table.added(location.version());
      }
      return Optional.of(
          new TableVersion(
              table, location, ManifestFile.written(state.manifest(), file, location.path())));
    }
    deleteQuietly(transactionPath);
    return Optional.empty();
  }

  private boolean isPut(
      String transactionPath, ManifestLocation location, ByteBuffer file, Transaction transaction) {
    try {
      return put(location, file, transaction);
    } catch (UnsupportedFormatException e) {
      // The store cannot do it after all, so that nothing refers to the transaction.
      deleteQuietly(transactionPath);
      throw e;
    }
  }

  /** Writes a manifest; finds out who wrote the one that is there if that is not clear. */
  private boolean put(ManifestLocation location, ByteBuffer file, Transaction transaction) {
    try {
      if (!table.putIfAbsent(location, file.duplicate())) {
        return committed(location, transaction).orElse(false);
      }
      return !table.mustReadBack()
          || committed(location, transaction).orElseThrow(() -> vanished(location));
    } catch (UncheckedIOException e) {
      try {
        return committed(location, transaction).orElseThrow(() -> e);
      } catch (UncheckedIOException | LanceException unreadable) {
        if (unreadable != e) {
          e.addSuppressed(unreadable);
        }
        throw e;
      }
    }
  }

  /**
   * Whether the version is the work of a transaction; nothing if there is no such version. A store
   * may apply a request and lose the reply; its client then tries again and finds the name taken,
   * by itself.
   */
  private Optional<Boolean> committed(ManifestLocation location, Transaction transaction) {
    return table
        .find(location.version())
        .map(
            there ->
                table
                    .open(there)
                    .transaction()
                    .map(other -> other.uuid().equals(transaction.uuid()))
                    .orElse(false));
  }

  private UncheckedIOException vanished(ManifestLocation location) {
    return new UncheckedIOException(
        new IOException(
            location.path()
                + " was written and is not there now, so that it cannot be told whether the commit"
                + " succeeded; look at the newest version before you try again"));
  }

  private void complete(Optional<TableVersion> committed, TableVersion base) {
    if (committed.isPresent()) {
      Succession.check(committed.get(), base);
      cleanUpAfter(committed.get(), base);
    }
  }

  /** Cleans up if the table's settings say so; the commit has succeeded whatever comes of it. */
  private void cleanUpAfter(TableVersion version, TableVersion previous) {
    if (options.skipAutoCleanup()) {
      return;
    }
    try {
      AutoCleanup.after(version.version(), version.manifest().config())
          .ifPresent(policy -> new Cleanup(policy).run(previous));
    } catch (UncheckedIOException | LanceException e) {
      LOG.warn("Could not clean up {} after its commit", version, e);
    }
  }

  private void deleteQuietly(String path) {
    try {
      table.store().delete(path);
    } catch (UncheckedIOException e) {
      LOG.debug("Could not delete the transaction file {} of a failed attempt", path, e);
    }
  }
}
