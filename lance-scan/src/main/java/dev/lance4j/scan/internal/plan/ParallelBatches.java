package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.LanceException;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.scan.internal.read.Morsel;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.RejectedExecutionException;

/**
 * Has morsels worked on by many threads ahead of the reader, who helps when it would have to wait
 * for work that nobody has started. So it never matters how many threads there are, whether they
 * have other things to do, or whether the reader is one of them. Starts with one morsel and works
 * further ahead with every batch that is taken, so that who wants few rows causes little work.
 */
final class ParallelBatches implements ArrayBatchReader.Source {
  private static final int MOST_AHEAD = 4 * Threads.processors();

  private final Morsels morsels;
  private final BatchRows batchRows;
  private final Parallelism parallelism;
  private final Object monitor = new Object();
  private final ArrayDeque<MorselTask> tasks = new ArrayDeque<>();
  private int ahead = 1;
  private boolean closed;

  /**
   * @param morsels closed with this source
   * @param batchRows says how many rows a morsel has
   */
  ParallelBatches(Morsels morsels, BatchRows batchRows, Parallelism parallelism) {
    this.morsels = morsels;
    this.batchRows = batchRows;
    this.parallelism = parallelism;
  }

  @Override
  public ArrayBatch next() {
    while (true) {
      stopIfInterrupted();
      submit();
      if (tasks.isEmpty()) {
        return null;
      }
      ArrayBatch batch = take();
      if (batch.rows() > 0) {
        batchRows.learn(batch);
        return batch;
      }
      batch.close();
    }
  }

  private void stopIfInterrupted() {
    if (Thread.currentThread().isInterrupted()) {
      close();
      throw new LanceException("The scan was stopped: its reader was interrupted");
    }
  }

  private void submit() {
    while (!closed && tasks.size() < ahead && isRoomForMore()) {
      Morsel morsel = morsels.next(batchRows.get());
      if (morsel == null) {
        return;
      }
      MorselTask task = new MorselTask(morsel, morsels.work(), monitor);
      tasks.addLast(task);
      if (tasks.size() > 1) {
        execute(task);
      }
    }
  }

  /** Tasks that the executor does not take are left to the reader. */
  private void execute(MorselTask task) {
    try {
      parallelism.executor().execute(task);
    } catch (RejectedExecutionException e) {
      ahead = tasks.size();
    }
  }

  /** Whether the batches ahead, with a guess for those that are not there yet, are few enough. */
  private boolean isRoomForMore() {
    if (tasks.isEmpty()) {
      return true;
    }
    long bytes = 0;
    synchronized (monitor) {
      for (MorselTask task : tasks) {
        bytes += task.isDone() ? task.bytes() : batchRows.estimatedBytes(task.rows());
      }
    }
    return bytes + batchRows.estimatedBytes(batchRows.get()) <= parallelism.readAheadBytes();
  }

  private ArrayBatch take() {
    MorselTask task = parallelism.ordered() ? tasks.getFirst() : firstDone();
    task.run();
    await(task);
    tasks.remove(task);
    ahead = Math.min(2 * ahead, MOST_AHEAD);
    return task.result();
  }

  /** A task that is done, or else the first one. */
  private MorselTask firstDone() {
    synchronized (monitor) {
      for (Iterator<MorselTask> i = tasks.iterator(); i.hasNext(); ) {
        MorselTask task = i.next();
        if (task.isDone()) {
          return task;
        }
      }
    }
    return tasks.getFirst();
  }

  private void await(MorselTask task) {
    synchronized (monitor) {
      while (!task.isDone()) {
        try {
          monitor.wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          break;
        }
      }
    }
    stopIfInterrupted();
  }

  @Override
  public void close() {
    closed = true;
    tasks.forEach(MorselTask::cancel);
    tasks.clear();
    morsels.close();
  }
}
