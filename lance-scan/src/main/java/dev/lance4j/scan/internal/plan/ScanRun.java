package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.scan.ScanListener;
import dev.lance4j.scan.ScanMetrics;

/** A plan that is carried out. Tells a listener how it goes. For use by one thread. */
public final class ScanRun implements ArrayBatchReader.Source {
  private final BatchNode plan;
  private final ScanListener listener;
  private final ArrayBatchReader.Source batches;
  private final long start = System.nanoTime();
  private long rows;
  private boolean closed;

  /**
   * @param listener told about progress; null for none
   */
  public ScanRun(BatchNode plan, ScanListener listener) {
    this.plan = plan;
    this.listener = listener;
    this.batches = plan.open();
  }

  @Override
  public ArrayBatch next() {
    ArrayBatch batch = batches.next();
    if (batch == null) {
      return null;
    }
    rows += batch.rows();
    if (listener != null) {
      boolean complete = false;
      try {
        listener.onBatch(metrics());
        complete = true;
      } finally {
        if (!complete) {
          batch.close();
        }
      }
    }
    return batch;
  }

  /** What was done so far. */
  public ScanMetrics metrics() {
    return new ScanMetrics(rows, System.nanoTime() - start, PlanText.steps(plan));
  }

  @Override
  public void close() {
    batches.close();
    if (!closed) {
      closed = true;
      if (listener != null) {
        listener.onEnd(metrics());
      }
    }
  }
}
