package dev.lance4j.write;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.TooMuchContentionException;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import dev.lance4j.write.internal.merge.MergeJob;
import dev.lance4j.write.internal.merge.MergeWork;
import java.util.Optional;

/**
 * Merges a source into a table: rows are matched by their keys, and updated, inserted or deleted as
 * the options say. Two values are equal if their bits are; a key with a null in it matches nothing.
 */
public final class MergeInsert {
  private final Scan.Source target;
  private final MergeOptions options;

  /**
   * What a merge did.
   *
   * @param version the version that it made
   * @param counts the rows and files
   * @param attempts how often it was tried, at least 1
   */
  public record Result(TableVersion version, MergeCounts counts, int attempts) {}

  /**
   * A merge whose files are written, to be committed by the caller.
   *
   * @param transaction what to commit
   * @param affectedRows to be given to the commit, so that it goes with concurrent changes of other
   *     rows; absent if columns were updated in place
   * @param counts the rows and files
   */
  public record Uncommitted(
      Transaction transaction, Optional<RowAddressSet> affectedRows, MergeCounts counts) {}

  /**
   * @param target the version to merge into
   */
  public MergeInsert(Scan.Source target, MergeOptions options) {
    this.target = target;
    this.options = options;
  }

  /**
   * Merges, starting over on the newest version when others changed the same rows meanwhile. There
   * is a new version even if no row changed.
   *
   * @param source is read once, whatever happens
   * @throws dev.lance4j.format.SchemaMismatchException if the source does not fit the table
   * @throws dev.lance4j.format.InvalidInputException if the options do not fit the table, or the
   *     rows must not be merged
   * @throws CommitConflictException if the table was overwritten or restored meanwhile
   * @throws TooMuchContentionException if others changed the same rows each time
   */
  public Result execute(BatchSource source) {
    try (MergeJob job = new MergeJob(target, options, source)) {
      Scan.Source current = target;
      for (int attempt = 1; ; attempt++) {
        MergeWork work = job.run(current);
        try {
          TableVersion committed = commit(current.version(), work);
          return new Result(committed, work.counts(), attempt);
        } catch (CommitConflictException e) {
          if (!e.isRetryable() || attempt > options.conflictRetries()) {
            throw e;
          }
          TableVersion latest = target.version().table().latest();
          current = new Scan.Source(latest, target.session(), target.allocator());
        }
      }
    }
  }

  private static TableVersion commit(TableVersion version, MergeWork work) {
    Transaction transaction = Transaction.of(version.version(), work.operation());
    Committer committer = new Committer(version.table(), CommitOptions.DEFAULT);
    try {
      return committer.commit(version, transaction);
    } catch (LanceException e) {
      // The commit is known not to have happened, so nothing refers to the files.
      work.remove(version.table());
      throw e;
    }
  }

  /** Writes the files of a merge without committing it; errors as above. */
  public Uncommitted executeUncommitted(BatchSource source) {
    try (MergeJob job = new MergeJob(target, options, source)) {
      MergeWork work = job.run(target);
      Transaction transaction = Transaction.of(target.version().version(), work.operation());
      return new Uncommitted(transaction, work.affectedRows(), work.counts());
    }
  }
}
