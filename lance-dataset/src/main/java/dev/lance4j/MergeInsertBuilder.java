package dev.lance4j;

import dev.lance4j.scan.Scan;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.MergeCounts;
import dev.lance4j.write.MergeInsert;
import dev.lance4j.write.MergeOptions;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
import dev.lance4j.write.WhenNotMatchedBySource;
import java.time.Duration;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;

/**
 * Merges rows into a table. Options first, then one of the {@code execute} methods, which writes
 * and commits. Unless told otherwise, rows whose keys are in the table stay as they are there, and
 * the others are inserted. Not safe for use by many threads.
 */
public final class MergeInsertBuilder {
  private final Environment environment;
  private final Scan.Source target;
  private final MergeOptions.Builder options;

  MergeInsertBuilder(Environment environment, Scan.Source target, List<String> on) {
    this.environment = environment;
    this.target = target;
    this.options = MergeOptions.builder(on);
  }

  /** What is done with rows that are in both; nothing unless set. */
  public MergeInsertBuilder whenMatched(WhenMatched matched) {
    options.whenMatched(matched);
    return this;
  }

  /** What is done with rows that are only in the source; they are inserted unless set. */
  public MergeInsertBuilder whenNotMatched(WhenNotMatched notMatched) {
    options.whenNotMatched(notMatched);
    return this;
  }

  /** What is done with rows that are only in the table; they are kept unless set. */
  public MergeInsertBuilder whenNotMatchedBySource(WhenNotMatchedBySource notMatchedBySource) {
    options.whenNotMatchedBySource(notMatchedBySource);
    return this;
  }

  /** What is done with several source rows of one key; an error unless set. */
  public MergeInsertBuilder duplicates(MergeOptions.Duplicates duplicates) {
    options.duplicates(duplicates);
    return this;
  }

  /** Starts another file, and fragment, at exactly this many rows; 1,048,576 unless set. */
  public MergeInsertBuilder maxRowsPerFile(long rows) {
    options.maxRowsPerFile(rows);
    return this;
  }

  /** How updated rows are stored. */
  public MergeInsertBuilder form(MergeOptions.Form form) {
    options.form(form);
    return this;
  }

  /**
   * Whether rows that others insert meanwhile are a conflict even if the key is not the table's
   * declared primary key, since they might have the same keys; false unless set.
   */
  public MergeInsertBuilder guardInserts(boolean guard) {
    options.guardInserts(guard);
    return this;
  }

  /** How often to start over when others changed the same rows; 10 unless set. */
  public MergeInsertBuilder conflictRetries(int retries) {
    options.conflictRetries(retries);
    return this;
  }

  /** No attempt but the first starts after this time; 30 seconds unless set. */
  public MergeInsertBuilder retryTimeout(Duration timeout) {
    options.retryTimeout(timeout);
    return this;
  }

  /**
   * About how many bytes the source may take in memory, with what is computed from it; the rest
   * waits in temporary files. 512 MiB unless set.
   */
  public MergeInsertBuilder memoryBudget(long bytes) {
    options.memoryBudget(bytes);
    return this;
  }

  /** Where temporary files go; the JVM's directory for them unless set. */
  public MergeInsertBuilder spillDirectory(String directory) {
    options.spillDirectory(directory);
    return this;
  }

  /**
   * Whether blobs may be given by the URIs of objects outside of the table and its base paths; see
   * {@link WriteBuilder#externalBlobs}.
   */
  public MergeInsertBuilder externalBlobs(boolean allowed) {
    options.externalBlobs(allowed);
    return this;
  }

  /** Merges the rows of a reader, which stays the caller's to close. */
  public MergeResult execute(ArrowReader reader) {
    return execute(BatchSource.of(reader));
  }

  /** Merges the rows of one batch without dictionary-encoded columns. */
  public MergeResult execute(VectorSchemaRoot batch) {
    return execute(BatchSource.of(batch, null));
  }

  /**
   * Merges rows from anywhere, starting over on the newest version when others changed the same
   * rows meanwhile. There is a new version even if no row changed.
   *
   * @throws dev.lance4j.format.SchemaMismatchException if the rows do not fit the table
   * @throws dev.lance4j.format.InvalidInputException if the options do not fit the table, a row is
   *     matched that must not be, or several rows of the source match the same row of the table
   * @throws dev.lance4j.format.CommitConflictException if the table was overwritten meanwhile
   * @throws dev.lance4j.format.TooMuchContentionException if others changed the same rows each time
   */
  public MergeResult execute(BatchSource source) {
    MergeInsert.Result result = new MergeInsert(target, options.build()).execute(source);
    MergeCounts counts = result.counts();
    return new MergeResult(
        new Dataset(environment, result.version()),
        counts.rowsInserted(),
        counts.rowsUpdated(),
        counts.rowsDeleted(),
        counts.duplicatesSkipped(),
        result.attempts(),
        counts.filesWritten(),
        counts.bytesWritten());
  }

  /**
   * Writes the files without committing them, for engines that commit themselves; errors as above.
   */
  public MergeInsert.Uncommitted uncommitted(BatchSource source) {
    return new MergeInsert(target, options.build()).uncommitted(source);
  }
}
