package dev.lance4j.write;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.TooMuchContentionException;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.TableVersion;
import dev.lance4j.write.internal.ConflictRetries;
import dev.lance4j.write.internal.merge.MergeJob;
import dev.lance4j.write.internal.merge.MergeWork;

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
   * A merge whose files are written, to be committed or discarded by the caller.
   *
   * @param change what to commit; its affected rows are absent if columns were updated in place
   * @param counts the rows and files
   */
  public record Uncommitted(RowChange change, MergeCounts counts) {}

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
      return ConflictRetries.run(
          target,
          options.retries(),
          attempt -> {
            MergeWork work = job.run(attempt.source(), attempt::checkTime);
            return new Result(work.change().commit(), work.counts(), attempt.number());
          });
    }
  }

  /** Writes the files of a merge without committing it; errors as above. */
  public Uncommitted uncommitted(BatchSource source) {
    try (MergeJob job = new MergeJob(target, options, source)) {
      MergeWork work = job.run(target, () -> {});
      return new Uncommitted(work.change(), work.counts());
    }
  }
}
