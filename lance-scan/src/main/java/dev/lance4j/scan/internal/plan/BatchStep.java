package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;

/** A step that makes one batch of each batch of its input. */
abstract class BatchStep implements BatchNode {
  private final BatchNode input;
  private final Schema schema;
  private final StepMetrics metrics = new StepMetrics();

  BatchStep(BatchNode input, Schema schema) {
    this.input = input;
    this.schema = schema;
  }

  /**
   * Makes a batch.
   *
   * @param batch closed afterwards
   */
  abstract ArrayBatch apply(ArrayBatch batch);

  @Override
  public final List<PlanNode> inputs() {
    return List.of(input);
  }

  @Override
  public final StepMetrics metrics() {
    return metrics;
  }

  @Override
  public final Schema schema() {
    return schema;
  }

  @Override
  public final ArrayBatchReader.Source open() {
    ArrayBatchReader.Source all = input.open();
    return new ArrayBatchReader.Source() {
      @Override
      public ArrayBatch next() {
        ArrayBatch batch = all.next();
        if (batch == null) {
          return null;
        }
        try (batch) {
          StepMetrics.Span span = metrics.begin();
          ArrayBatch made = apply(batch);
          span.end(made.rows());
          return made;
        }
      }

      @Override
      public void close() {
        all.close();
      }
    };
  }
}
