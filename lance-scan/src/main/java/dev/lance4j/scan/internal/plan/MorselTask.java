package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.scan.internal.read.Morsel;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Work on one morsel, done once, by whoever comes first. Tasks of one scan share a monitor that is
 * notified when one of them is done.
 */
final class MorselTask implements Runnable {
  private final Morsel morsel;
  private final ProjectNode work;
  private final Object monitor;
  private final AtomicBoolean claimed = new AtomicBoolean();
  private boolean done;
  private ArrayBatch result;
  private Throwable failure;

  /**
   * @param morsel closed when the work is done
   * @param monitor guards what comes of the work
   */
  MorselTask(Morsel morsel, ProjectNode work, Object monitor) {
    this.morsel = morsel;
    this.work = work;
    this.monitor = monitor;
  }

  long rows() {
    return morsel.offsets().rows();
  }

  /** Does the work unless somebody else did or does it. */
  @Override
  public void run() {
    if (!claimed.compareAndSet(false, true)) {
      return;
    }
    ArrayBatch batch = null;
    Throwable thrown = null;
    try (morsel) {
      batch = work.run(morsel);
    } catch (Throwable e) {
      thrown = e;
    }
    synchronized (monitor) {
      result = batch;
      failure = thrown;
      done = true;
      monitor.notifyAll();
    }
  }

  /** Whether the work is done; the monitor must be held. */
  boolean isDone() {
    return done;
  }

  /** The bytes of the result, if there is one; the monitor must be held. */
  long bytes() {
    return result == null ? 0 : bytes(result);
  }

  static long bytes(ArrayBatch batch) {
    long bytes = 0;
    for (ArrayData array : batch.arrays()) {
      bytes += array.bytes();
    }
    return bytes;
  }

  /** What came of the work that is done, owned by the caller; what it threw is thrown here. */
  ArrayBatch result() {
    synchronized (monitor) {
      if (failure instanceof RuntimeException e) {
        throw e;
      }
      if (failure instanceof Error e) {
        throw e;
      }
      ArrayBatch batch = result;
      result = null;
      return batch;
    }
  }

  /** Gives up the work, or waits until it is done and throws the result away. */
  void cancel() {
    if (claimed.compareAndSet(false, true)) {
      morsel.close();
      return;
    }
    boolean interrupted = false;
    synchronized (monitor) {
      while (!done) {
        try {
          monitor.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (result != null) {
        result.close();
        result = null;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
