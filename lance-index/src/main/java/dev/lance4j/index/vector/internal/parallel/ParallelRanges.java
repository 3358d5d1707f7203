package dev.lance4j.index.vector.internal.parallel;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Divides ranges of rows among threads. The caller's thread takes part and finishes alone if no
 * other comes to help, so that an executor whose threads are all busy is only slow. Safe for use by
 * many threads.
 *
 * @param executor runs helpers
 * @param threads the most threads to use, the caller's included
 */
public record ParallelRanges(Executor executor, int threads) {
  /** Uses the caller's thread only. */
  public static final ParallelRanges SEQUENTIAL = new ParallelRanges(Runnable::run, 1);

  /** Works on the rows from {@code from} (inclusive) to {@code to} (exclusive). */
  public interface Task {
    /** Does the work, which must not touch what other ranges do. */
    void run(int from, int to);
  }

  /**
   * Works on rows 0 to {@code count}, and returns when all is done.
   *
   * @param step the rows of a range
   * @throws RuntimeException that a range threw first
   */
  public void run(int count, int step, Task task) {
    int ranges = (int) (((long) count + step - 1) / step);
    if (ranges == 0) {
      return;
    }
    if (threads <= 1 || ranges == 1) {
      for (int from = 0; from < count; from += step) {
        task.run(from, (int) Math.min(count, (long) from + step));
      }
      return;
    }
    Work work = new Work(count, step, ranges, task);
    for (int helper = 1; helper < Math.min(threads, ranges); helper++) {
      try {
        executor.execute(work);
      } catch (RejectedExecutionException e) {
        break;
      }
    }
    work.run();
    work.await();
  }

  private static final class Work implements Runnable {
    private final int count;
    private final int step;
    private final int ranges;
    private final Task task;
    private final AtomicInteger next = new AtomicInteger();
    private final CountDownLatch left;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Work(int count, int step, int ranges, Task task) {
      this.count = count;
      this.step = step;
      this.ranges = ranges;
      this.task = task;
      this.left = new CountDownLatch(ranges);
    }

    @Override
    public void run() {
      for (int i = next.getAndIncrement(); i < ranges; i = next.getAndIncrement()) {
        try {
          if (failure.get() == null) {
            task.run(i * step, (int) Math.min(count, (long) i * step + step));
          }
        } catch (RuntimeException | Error e) {
          failure.compareAndSet(null, e);
        } finally {
          left.countDown();
        }
      }
    }

    void await() {
      boolean interrupted = false;
      while (left.getCount() > 0) {
        try {
          left.await();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      Throwable thrown = failure.get();
      if (thrown instanceof Error error) {
        throw error;
      }
      if (thrown != null) {
        throw (RuntimeException) thrown;
      }
    }
  }
}
