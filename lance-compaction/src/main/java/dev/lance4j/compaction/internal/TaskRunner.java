package dev.lance4j.compaction.internal;

import dev.lance4j.compaction.CompactionTask;
import dev.lance4j.compaction.RewriteResult;
import dev.lance4j.format.LanceException;
import dev.lance4j.scan.internal.plan.Threads;
import dev.lance4j.table.Table;
import dev.lance4j.write.internal.WrittenFiles;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * Carries out tasks, several at once. The caller's thread is one of those that work, so that it
 * never matters whether others are free. Used once.
 */
public final class TaskRunner {
  /** Carries out one task. */
  public interface Work {
    /**
     * Carries out the task.
     *
     * @param betweenBatches to be called now and then; throws when the task is not wanted any more
     */
    RewriteResult run(CompactionTask task, Runnable betweenBatches);
  }

  private final Table table;
  private final int threads;
  private final Work work;
  private final Object monitor = new Object();
  private List<CompactionTask> tasks = List.of();
  private RewriteResult[] results = new RewriteResult[0];
  private int next;
  private int running;
  private Throwable failure;

  /**
   * @param table whose files are removed when a task fails
   * @param threads how many tasks to carry out at once
   */
  public TaskRunner(Table table, int threads, Work work) {
    this.table = table;
    this.threads = threads;
    this.work = work;
  }

  /**
   * Carries out all tasks. When one fails, so does all, and the files that others wrote are
   * removed.
   *
   * @return the results in the order of the tasks
   * @throws LanceException if the thread is interrupted; it stays interrupted
   */
  public List<RewriteResult> run(List<CompactionTask> all) {
    tasks = all;
    results = new RewriteResult[all.size()];
    for (int i = 1; i < Math.min(threads, all.size()); i++) {
      try {
        Threads.shared().execute(this::work);
      } catch (RejectedExecutionException e) {
        break;
      }
    }
    work();
    awaitOthers();
    if (failure == null) {
      return List.of(results);
    }
    for (RewriteResult result : results) {
      if (result != null) {
        WrittenFiles.remove(table, result.newFragments());
      }
    }
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }

  private void work() {
    for (int i = claim(); i >= 0; i = claim()) {
      RewriteResult result = null;
      Throwable thrown = null;
      try {
        result = work.run(tasks.get(i), this::stopIfFailed);
      } catch (RuntimeException | Error e) {
        thrown = e;
      }
      synchronized (monitor) {
        results[i] = result;
        fail(thrown);
        running--;
        monitor.notifyAll();
      }
    }
  }

  /** The next task, or -1. */
  private int claim() {
    synchronized (monitor) {
      if (failure != null || next == tasks.size()) {
        return -1;
      }
      running++;
      return next++;
    }
  }

  private void fail(Throwable thrown) {
    if (failure == null) {
      failure = thrown;
    }
  }

  private void stopIfFailed() {
    synchronized (monitor) {
      if (failure != null) {
        throw new LanceException("The compaction was stopped: another task failed");
      }
    }
  }

  private void awaitOthers() {
    boolean interrupted = false;
    synchronized (monitor) {
      while (running > 0) {
        try {
          monitor.wait();
        } catch (InterruptedException e) {
          interrupted = true;
          fail(new LanceException("The compaction was stopped: its thread was interrupted"));
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
