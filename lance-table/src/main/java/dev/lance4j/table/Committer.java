package dev.lance4j.table;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.DatasetExistsException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.TooMuchContentionException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.VersionNotFoundException;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.table.internal.BackOff;
import dev.lance4j.table.internal.CommitValidation;
import dev.lance4j.table.internal.ConflictRules;
import dev.lance4j.table.internal.FragmentSequences;
import dev.lance4j.table.internal.ManifestFile;
import dev.lance4j.table.internal.NextManifest;
import dev.lance4j.table.internal.Repairs;
import dev.lance4j.table.internal.ReplacementRows;
import dev.lance4j.table.internal.TableState;
import dev.lance4j.table.internal.TransactionMessages;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
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
  private static final String HINT_SWITCH = "LANCE_USE_VERSION_HINT";

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
    if (options.naming() == ManifestNaming.DETACHED) {
      throw new InvalidInputException("A new dataset cannot start with a detached version");
    }
    TableState first = NextManifest.first(transaction, options, new FragmentSequences(table));
    CommitValidation.check(transaction, first.manifest());
    if (table.findLatest().isPresent()) {
      throw new DatasetExistsException(table.uri());
    }
    return attempt(transaction, first, options.naming())
        .orElseThrow(() -> new DatasetExistsException(table.uri()));
  }

  /**
   * Commits a transaction to an existing table.
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
    checkWritable(handle);
    CommitValidation.check(transaction, handle.manifest());
    ReplacementRows.check(handle, transaction.operation());
    TableVersion base = versionRead(handle, transaction);
    if (isStrict(transaction)) {
      return attempt(transaction, next(base, transaction), base.location().naming())
          .orElseThrow(
              () ->
                  new CommitConflictException(
                      "Commit conflict for version "
                          + (transaction.readVersion() + 1)
                          + ": Failed to commit the transaction after 0 retries.",
                      transaction.readVersion() + 1,
                      false));
    }
    LanceSchema schemaRead = base.manifest().schema();
    BackOff backOff = new BackOff(RETRY_BUDGET);
    while (backOff.failures() < Math.max(options.maxRetries(), 1)) {
      base = checkedLatest(base, transaction.operation(), schemaRead);
      Transaction rebased = rebase(transaction, base);
      Optional<TableVersion> committed =
          attempt(rebased, next(base, rebased), base.location().naming());
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

  private void checkWritable(TableVersion version) {
    FeatureFlag.checkWritable(version.manifest().writerFlags(), table.uri());
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

  /** Checks the operation against all that was committed after a version, and gives the newest. */
  private TableVersion checkedLatest(
      TableVersion base, Operation operation, LanceSchema schemaRead) {
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
      latest = table.open(location);
      checkWritable(latest);
      ConflictRules.check(operation, committedOperation(latest), schemaRead, latest.version());
    }
    return latest;
  }

  private Operation committedOperation(TableVersion version) {
    return version
        .transaction()
        .map(Transaction::operation)
        .orElseThrow(
            () ->
                new CommitConflictException(
                    "Dataset version "
                        + version.version()
                        + " does not have a transaction, so that nobody can tell whether it"
                        + " conflicts; read the newest version and try again",
                    version.version(),
                    true));
  }

  // Readers of the history take such a transaction for one that read the version before its own.
  private static Transaction rebase(Transaction transaction, TableVersion base) {
    return switch (transaction.operation().kind()) {
      case DELETE, UPDATE -> transaction.withReadVersion(base.version());
      case APPEND,
          OVERWRITE,
          CREATE_INDEX,
          REWRITE,
          MERGE,
          RESTORE,
          RESERVE_FRAGMENTS,
          PROJECT,
          UPDATE_CONFIG,
          DATA_REPLACEMENT,
          UPDATE_MEM_WAL_STATE,
          CLONE,
          UPDATE_BASES ->
          transaction;
    };
  }

  private TableState next(TableVersion base, Transaction transaction) {
    if (ManifestNaming.isDetached(base.version() + 1)) {
      throw new LanceException("The dataset " + table.uri() + " has no version numbers left");
    }
    return NextManifest.after(
        TableState.of(base),
        transaction,
        options,
        new FragmentSequences(table),
        version -> TableState.of(table.version(version)),
        new Repairs(base)::apply);
  }

  /** Writes the transaction, then the manifest; gives nothing if somebody else wrote that. */
  private Optional<TableVersion> attempt(
      Transaction transaction, TableState state, ManifestNaming naming) {
    byte[] bytes = TransactionMessages.toBytes(transaction);
    String transactionPath = table.transactionPath(transaction.fileName());
    ManifestLocation location = table.manifest(state.manifest().version(), naming);
    ByteBuffer file = ManifestFile.write(state.manifest(), state.indices(), bytes);
    table.store().put(transactionPath, ByteBuffer.wrap(bytes));
    if (put(location, file, transaction)) {
      writeHint(location.version());
      return Optional.of(
          new TableVersion(table, location, ManifestFile.parse(file, location.path())));
    }
    deleteQuietly(transactionPath);
    return Optional.empty();
  }

  /** Writes a manifest; finds out who wrote the one that is there if that is not clear. */
  private boolean put(ManifestLocation location, ByteBuffer file, Transaction transaction) {
    try {
      return table.store().putIfAbsent(location.path(), file.duplicate())
          || isOurs(location, transaction);
    } catch (UncheckedIOException e) {
      try {
        return isOurs(location, transaction);
      } catch (VersionNotFoundException absent) {
        throw e;
      } catch (UncheckedIOException | LanceException unreadable) {
        e.addSuppressed(unreadable);
        throw e;
      }
    }
  }

  // A store may apply a request and lose the reply; its client then tries again and finds the name
  // taken, by itself.
  private boolean isOurs(ManifestLocation location, Transaction transaction) {
    return table
        .open(location)
        .transaction()
        .map(there -> there.uuid().equals(transaction.uuid()))
        .orElse(false);
  }

  private void deleteQuietly(String path) {
    try {
      table.store().delete(path);
    } catch (UncheckedIOException e) {
      LOG.debug("Could not delete the transaction file {} of a failed attempt", path, e);
    }
  }

  private void writeHint(long version) {
    if (table.store().listsInOrder() || isSwitchedOff(System.getenv(HINT_SWITCH))) {
      return;
    }
    byte[] hint = ("{\"version\":" + version + "}").getBytes(StandardCharsets.US_ASCII);
    try {
      table.store().put(table.versionHintPath(), ByteBuffer.wrap(hint));
    } catch (UncheckedIOException e) {
      LOG.debug("Could not write the version hint of {}", table.uri(), e);
    }
  }

  private static boolean isSwitchedOff(String value) {
    return value != null
        && switch (value.toLowerCase(Locale.ROOT)) {
          case "0", "false", "off" -> true;
          default -> false;
        };
  }
}
