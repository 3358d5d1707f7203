package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.BatchVectors;
import dev.lance4j.format.internal.data.RowGather;
import dev.lance4j.scan.expr.RowFilter;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/** Keeps the rows that were found for which a condition is true. */
final class FilterFoundNode implements BatchNode {
  private final BatchNode input;
  private final RowFilter filter;
  private final BatchColumns columns;
  private final BufferAllocator allocator;
  private final StepMetrics metrics = new StepMetrics();

  /**
   * @param columns those of the condition
   */
  FilterFoundNode(
      BatchNode input, RowFilter filter, BatchColumns columns, BufferAllocator allocator) {
    this.input = input;
    this.filter = filter;
    this.columns = columns;
    this.allocator = allocator;
  }

  @Override
  public String describe() {
    return "Filter " + filter;
  }

  @Override
  public List<PlanNode> inputs() {
    return List.of(input);
  }

  @Override
  public StepMetrics metrics() {
    return metrics;
  }

  @Override
  public Schema schema() {
    return input.schema();
  }

  @Override
  public ArrayBatchReader.Source open() {
    ArrayBatchReader.Source all = input.open();
    return new ArrayBatchReader.Source() {
      @Override
      public ArrayBatch next() {
        for (ArrayBatch batch = all.next(); batch != null; batch = all.next()) {
          ArrayBatch left = filter(batch);
          if (left != null) {
            return left;
          }
        }
        return null;
      }

      @Override
      public void close() {
        all.close();
      }
    };
  }

  /** The rows that are left, or null if none is. */
  private ArrayBatch filter(ArrayBatch batch) {
    try (batch) {
      StepMetrics.Span span = metrics.begin();
      int[] chosen;
      try (BatchVectors vectors = columns.open(batch, allocator)) {
        chosen = filter.select(vectors.root(), vectors.dictionaries());
      }
      ArrayBatch left =
          chosen.length == 0
              ? null
              : RowGather.gather(schema().getFields(), batch, chosen, allocator);
      span.end(chosen.length);
      return left;
    }
  }
}
