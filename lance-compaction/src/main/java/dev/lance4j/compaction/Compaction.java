package dev.lance4j.compaction;

import dev.lance4j.compaction.internal.CompactionPlanner;
import dev.lance4j.compaction.internal.CompactionSettings;
import dev.lance4j.compaction.internal.RewriteCommit;
import dev.lance4j.compaction.internal.TaskExecution;
import dev.lance4j.compaction.internal.TaskMemory;
import dev.lance4j.compaction.internal.TaskRunner;
import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.TableVersion;
import dev.lance4j.write.internal.WrittenFiles;
import java.util.List;

/**
 * Rewrites fragments of a version of a table: drops deleted rows and columns, and joins small
 * fragments that lie next to each other. Rows keep their order and stable ids. Immutable.
 */
public final class Compaction {
  private final Scan.Source source;

  /**
   * What a compaction led to.
   *
   * @param version the newest version known; the one that was planned on when nothing was done
   * @param metrics what was done
   */
  public record Result(TableVersion version, CompactionMetrics metrics) {}

  /**
   * @param source the version to compact
   */
  public Compaction(Scan.Source source) {
    this.source = source;
  }

  /**
   * Plans without writing anything.
   *
   * @throws InvalidInputException if an option or a setting of the table is not valid, or index
   *     remap is to be deferred although the table has stable row ids
   * @throws dev.lance4j.format.UnsupportedFormatException if pages must be copied, or the files are
   *     of the legacy version
   */
  public CompactionPlan plan(CompactionOptions options) {
    return new CompactionPlanner(source, settings(options)).plan();
  }

  private CompactionSettings settings(CompactionOptions options) {
    return options.resolve(source.version().manifest().config());
  }

  /**
   * Plans, carries out all tasks and commits. When there is nothing to do there is no new version.
   * When something fails, all files that were written are removed, unless the store failed during
   * the commit, so that nobody knows whether they are in use.
   *
   * @throws CommitConflictException if somebody else changed fragments that were rewritten; when it
   *     is retryable, starting over on the newest version makes sense
   * @throws InvalidInputException as when planning
   */
  public Result run(CompactionOptions options, CompactionListener listener) {
    CompactionSettings settings = settings(options);
    CompactionPlan plan = new CompactionPlanner(source, settings).plan();
    if (plan.tasks().isEmpty()) {
      return new Result(source.version(), CompactionMetrics.NONE);
    }
    int threads = Math.min(settings.threads(), plan.tasks().size());
    TaskMemory memory = TaskMemory.of(source.allocator(), threads);
    List<RewriteResult> results =
        new TaskRunner(
                source.version().table(),
                threads,
                (task, betweenBatches) ->
                    new TaskExecution(source, task, memory, listener, betweenBatches).run())
            .run(plan.tasks());
    RewriteCommit commit = rewriteCommit(options);
    RewriteCommit.Prepared prepared;
    try {
      prepared = commit.prepare(results);
    } catch (RuntimeException | Error e) {
      remove(results);
      throw e;
    }
    try {
      return new Result(commit.commit(prepared), metrics(results));
    } catch (LanceException e) {
      // Unlike after a failure of the store, it is known that nothing was committed.
      remove(results);
      throw e;
    }
  }

  private void remove(List<RewriteResult> results) {
    results.forEach(result -> WrittenFiles.remove(source.version().table(), result.newFragments()));
  }

  private RewriteCommit rewriteCommit(CompactionOptions options) {
    return new RewriteCommit(
        source, settings(options).deferIndexRemap(), options.transactionProperties());
  }

  private static CompactionMetrics metrics(List<RewriteResult> results) {
    CompactionMetrics metrics = CompactionMetrics.NONE;
    for (RewriteResult result : results) {
      metrics = metrics.plus(result.metrics());
    }
    return metrics;
  }

  /**
   * Commits what tasks wrote, all of them or some; others may be committed later. The files of
   * results that are never committed are found by a clean-up.
   *
   * @param results whose fragments are different ones; none for no new version
   * @param options those that were planned with
   * @throws CommitConflictException if somebody else changed fragments that were rewritten; the
   *     files stay, since other results may still be committed
   * @throws InvalidInputException if the results are of another table, or overlap
   */
  public Result commit(List<RewriteResult> results, CompactionOptions options) {
    if (results.isEmpty()) {
      return new Result(source.version(), CompactionMetrics.NONE);
    }
    RewriteCommit commit = rewriteCommit(options);
    return new Result(commit.commit(commit.prepare(results)), metrics(results));
  }
}
