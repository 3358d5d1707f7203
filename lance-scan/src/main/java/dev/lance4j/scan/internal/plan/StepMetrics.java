package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.io.ReadMeter;
import java.util.concurrent.atomic.LongAdder;

/** What a step of a plan did so far, added up over all threads. */
public final class StepMetrics {
  private final LongAdder rows = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder requests = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder spilledBytes = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  /** Work on one batch, from its making until it ends. For use by one thread. */
  final class Span {
    private final ReadMeter meter = ReadMeter.ofThread();
    private final long requestsBefore = meter.requests();
    private final long bytesBefore = meter.bytes();
    private final long start = System.nanoTime();

    private Span() {}

    /** Ends the work, of which these many rows came. */
    void end(long rowsOut) {
      end();
      passed(rowsOut);
    }

    /** Ends work of which no batch came. */
    void end() {
      nanos.add(System.nanoTime() - start);
      requests.add(meter.requests() - requestsBefore);
      bytes.add(meter.bytes() - bytesBefore);
    }
  }

  Span begin() {
    return new Span();
  }

  /** Adds time to that of a batch. */
  void addNanos(long more) {
    nanos.add(more);
  }

  /** Counts a batch that was passed on. */
  void passed(long rowsOut) {
    rows.add(rowsOut);
    batches.increment();
  }

  /** Counts what goes to temporary files. */
  LongAdder spilled() {
    return spilledBytes;
  }

  /** The rows that the step gave. */
  public long rows() {
    return rows.sum();
  }

  /** The batches that the step gave, empty ones included. */
  public long batches() {
    return batches.sum();
  }

  /** The calls to stores for data. */
  public long requests() {
    return requests.sum();
  }

  /** The bytes of data that were asked of stores. */
  public long bytes() {
    return bytes.sum();
  }

  /** The bytes written to temporary files. */
  public long spilledBytes() {
    return spilledBytes.sum();
  }

  /** The time spent, that of other steps not included. */
  public long nanos() {
    return nanos.sum();
  }
}
