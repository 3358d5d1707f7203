package dev.lance4j.write.internal;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.TooMuchContentionException;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.internal.BackOff;
import dev.lance4j.write.RetryOptions;
import java.util.Locale;

/**
 * Runs a job that reads a version, writes files and commits; runs it anew on the newest version
 * each time that others changed what it read. Used for one series of runs.
 */
public final class ConflictRetries {
  private final RetryOptions options;
  private final long start = System.nanoTime();

  private ConflictRetries(RetryOptions options) {
    this.options = options;
  }

  /**
   * What is run. A run that fails leaves no files behind, unless the store failed during the
   * commit, so that nobody knows whether they are in use.
   *
   * @param <R> what it gives
   */
  public interface Job<R> {
    /**
     * Runs once.
     *
     * @throws CommitConflictException if others changed what it read
     */
    R run(Attempt attempt);
  }

  /** One run of the job. */
  public final class Attempt {
    private final Scan.Source source;
    private final int number;

    private Attempt(Scan.Source source, int number) {
      this.source = source;
      this.number = number;
    }

    /** What to read. */
    public Scan.Source source() {
      return source;
    }

    /** Which run this is, from 1 on. */
    public int number() {
      return number;
    }

    /**
     * To be called between batches: ends a run that goes on for longer than the options allow. The
     * first run may take any time.
     *
     * @throws TooMuchContentionException if there is no time left
     */
    public void checkTime() {
      if (number > 1 && elapsed() > options.timeout().toNanos()) {
        throw outOfTime(number, null);
      }
    }
  }

  /**
   * Runs a job until it succeeds.
   *
   * @param source what the first run reads; the later ones read the newest version
   * @throws TooMuchContentionException if the options do not allow another run
   * @throws dev.lance4j.format.UnsupportedFormatException if the table's store cannot commit; the
   *     job is not run
   * @throws CommitConflictException if a conflict is not retryable
   * @throws LanceException if the thread is interrupted between two runs; it stays interrupted
   */
  public static <R> R run(Scan.Source source, RetryOptions options, Job<R> job) {
    source.version().table().requireAtomicCommits();
    return new ConflictRetries(options).run(source, job);
  }

  private <R> R run(Scan.Source source, Job<R> job) {
    BackOff backOff = new BackOff(options.timeout());
    Scan.Source current = source;
    for (int number = 1; ; number++) {
      try {
        return job.run(new Attempt(current, number));
      } catch (CommitConflictException e) {
        if (!e.isRetryable()) {
          throw e;
        }
        waitForNext(backOff, number, e);
      }
      current =
          new Scan.Source(source.version().table().latest(), source.session(), source.allocator());
    }
  }

  private void waitForNext(BackOff backOff, int number, CommitConflictException conflict) {
    if (number > options.maxRetries()) {
      throw new TooMuchContentionException(
          "Too many concurrent writers. Attempted "
              + options.maxRetries()
              + " retries; try again later or allow more",
          number,
          conflict);
    }
    if (!backOff.await()) {
      throw outOfTime(number, conflict);
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new LanceException(
          "Interrupted while retrying after: " + conflict.getMessage(), conflict);
    }
  }

  private TooMuchContentionException outOfTime(int attempts, CommitConflictException conflict) {
    return new TooMuchContentionException(
        String.format(
            Locale.ROOT,
            "Too many concurrent writers. Attempted %d times, but failed on a timeout of %.3f"
                + " seconds; try again later or allow more time",
            attempts,
            options.timeout().toMillis() / 1000.0),
        attempts,
        conflict);
  }

  private long elapsed() {
    return System.nanoTime() - start;
  }
}
