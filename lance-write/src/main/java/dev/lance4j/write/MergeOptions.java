package dev.lance4j.write;

import dev.lance4j.format.InvalidInputException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a merge does. Immutable; the defaults find or create rows: those that are there stay, the
 * others are added.
 *
 * @param on the key columns, in any case, also in back-ticks; none for the table's declared primary
 *     key
 * @param whenMatched what is done with rows that are in both
 * @param whenNotMatched what is done with rows that are only in the source
 * @param whenNotMatchedBySource what is done with rows that are only in the table
 * @param duplicates what is done with several source rows of one key
 * @param form how updated rows are stored
 * @param maxRowsPerFile a new file is closed at exactly this many rows
 * @param guardsInserts whether the key columns count as a primary key when conflicts are looked
 *     for: then nobody else can have inserted rows meanwhile, who might have inserted the same
 *     keys. It is always so if they are the declared primary key.
 * @param retries what to do when others change the same rows meanwhile
 * @param memoryBudget about how many bytes the source may take in memory with what is computed from
 *     it; the rest waits in temporary files
 * @param spillDirectory path or URI for temporary files; the JVM's directory for them if absent
 * @param externalBlobs whether blobs may lie in objects outside of the table and its base paths
 */
public record MergeOptions(
    List<String> on,
    WhenMatched whenMatched,
    WhenNotMatched whenNotMatched,
    WhenNotMatchedBySource whenNotMatchedBySource,
    Duplicates duplicates,
    Form form,
    long maxRowsPerFile,
    boolean guardsInserts,
    RetryOptions retries,
    long memoryBudget,
    Optional<String> spillDirectory,
    boolean externalBlobs) {
  /** What is done with several rows of a source that have the same key. */
  public enum Duplicates {
    /**
     * It is an error if two of them would update the same row of the table; those that match
     * nothing are all inserted.
     */
    FAIL,
    /** Only the first one counts. */
    KEEP_FIRST
  }

  /** How updated rows are stored. */
  public enum Form {
    /** In place if the source leaves out columns and that is possible, and else anew. */
    AUTO,
    /** Each updated row is written anew with all columns, and deleted where it was. */
    REWRITE_ROWS,
    /** The source's columns of the touched fragments are written anew beside the others. */
    REWRITE_COLUMNS
  }

  /** The default of {@link #memoryBudget}: 512 MiB. */
  public static final long DEFAULT_MEMORY_BUDGET = 512L << 20;

  public MergeOptions {
    on = List.copyOf(on);
    if (maxRowsPerFile <= 0) {
      throw new InvalidInputException("maxRowsPerFile must be positive, but is " + maxRowsPerFile);
    }
    if (memoryBudget <= 0) {
      throw new InvalidInputException("memoryBudget must be positive, but is " + memoryBudget);
    }
    boolean nothing =
        whenMatched.action() == WhenMatched.Action.DO_NOTHING
            && !whenNotMatched.inserts()
            && !whenNotMatchedBySource.deletes();
    if (nothing) {
      throw new InvalidInputException(
          "The merge would not change anything: say what to do with rows that are matched, not"
              + " matched, or not matched by the source");
    }
  }

  /** Starts from the defaults. */
  public static Builder builder(List<String> keyColumns) {
    return new Builder(keyColumns);
  }

  /** Gathers options. Not safe for use by many threads. */
  public static final class Builder {
    private final List<String> on;
    private WhenMatched whenMatched = WhenMatched.doNothing();
    private WhenNotMatched whenNotMatched = WhenNotMatched.insertAll();
    private WhenNotMatchedBySource whenNotMatchedBySource = WhenNotMatchedBySource.keep();
    private Duplicates duplicates = Duplicates.FAIL;
    private Form form = Form.AUTO;
    private long maxRowsPerFile = InsertOptions.DEFAULT_MAX_ROWS_PER_FILE;
    private boolean guardsInserts;
    private RetryOptions retries = RetryOptions.DEFAULT;
    private long memoryBudget = DEFAULT_MEMORY_BUDGET;
    private Optional<String> spillDirectory = Optional.empty();
    private boolean externalBlobs;

    private Builder(List<String> on) {
      this.on = List.copyOf(on);
    }

    /** See {@link MergeOptions#whenMatched}. */
    public Builder whenMatched(WhenMatched matched) {
      this.whenMatched = matched;
      return this;
    }

    /** See {@link MergeOptions#whenNotMatched}. */
    public Builder whenNotMatched(WhenNotMatched notMatched) {
      this.whenNotMatched = notMatched;
      return this;
    }

    /** See {@link MergeOptions#whenNotMatchedBySource}. */
    public Builder whenNotMatchedBySource(WhenNotMatchedBySource notMatchedBySource) {
      this.whenNotMatchedBySource = notMatchedBySource;
      return this;
    }

    /** See {@link MergeOptions#duplicates}. */
    public Builder duplicates(Duplicates choice) {
      this.duplicates = choice;
      return this;
    }

    /** See {@link MergeOptions#form}. */
    public Builder form(Form choice) {
      this.form = choice;
      return this;
    }

    /** See {@link MergeOptions#maxRowsPerFile}. */
    public Builder maxRowsPerFile(long rows) {
      this.maxRowsPerFile = rows;
      return this;
    }

    /** See {@link MergeOptions#guardsInserts}. */
    public Builder guardInserts(boolean guard) {
      this.guardsInserts = guard;
      return this;
    }

    /** See {@link RetryOptions#maxRetries}. */
    public Builder conflictRetries(int count) {
      this.retries = retries.withMaxRetries(count);
      return this;
    }

    /** See {@link RetryOptions#timeout}. */
    public Builder retryTimeout(Duration timeout) {
      this.retries = retries.withTimeout(timeout);
      return this;
    }

    /** See {@link MergeOptions#memoryBudget}. */
    public Builder memoryBudget(long bytes) {
      this.memoryBudget = bytes;
      return this;
    }

    /** See {@link MergeOptions#spillDirectory}. */
    public Builder spillDirectory(String directory) {
      this.spillDirectory = Optional.of(directory);
      return this;
    }

    /** See {@link MergeOptions#externalBlobs}. */
    public Builder externalBlobs(boolean allowed) {
      this.externalBlobs = allowed;
      return this;
    }

    public MergeOptions build() {
      return new MergeOptions(
          on,
          whenMatched,
          whenNotMatched,
          whenNotMatchedBySource,
          duplicates,
          form,
          maxRowsPerFile,
          guardsInserts,
          retries,
          memoryBudget,
          spillDirectory,
          externalBlobs);
    }
  }
}
