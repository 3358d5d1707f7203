package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;

/** Counts the batches that go through. */
final class MeteredBatches implements ArrayBatchReader.Source {
  private final ArrayBatchReader.Source input;
  private final StepMetrics metrics;

  MeteredBatches(ArrayBatchReader.Source input, StepMetrics metrics) {
    this.input = input;
    this.metrics = metrics;
  }

  @Override
  public ArrayBatch next() {
    ArrayBatch batch = input.next();
    if (batch != null) {
      metrics.passed(batch.rows());
    }
    return batch;
  }

  @Override
  public void close() {
    input.close();
  }
}
