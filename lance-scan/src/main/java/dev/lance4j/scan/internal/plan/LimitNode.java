package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.RowGather;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/** Gives those of the rows that are in a window, and stops the work when there are enough. */
final class LimitNode implements BatchNode {
  private final BatchNode input;
  private final Window window;
  private final BufferAllocator allocator;
  private final StepMetrics metrics = new StepMetrics();

  LimitNode(BatchNode input, Window window, BufferAllocator allocator) {
    this.input = input;
    this.window = window;
    this.allocator = allocator;
  }

  @Override
  public String describe() {
    return "Limit to " + describe(window);
  }

  static String describe(Window window) {
    String rows = window.limit() == Long.MAX_VALUE ? "all rows" : window.limit() + " rows";
    return window.offset() == 0 ? rows : rows + " after the first " + window.offset();
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
    return new MeteredBatches(new Batches(), metrics);
  }

  private final class Batches implements ArrayBatchReader.Source {
    private ArrayBatchReader.Source open;
    private long toSkip = window.offset();
    private long left = window.limit();

    @Override
    public ArrayBatch next() {
      while (left > 0) {
        if (open == null) {
          open = input.open();
        }
        ArrayBatch batch = open.next();
        if (batch == null) {
          return null;
        }
        int from = (int) Math.min(toSkip, batch.rows());
        int count = (int) Math.min(batch.rows() - from, left);
        toSkip -= from;
        left -= count;
        if (count == batch.rows()) {
          return batch;
        }
        try (batch) {
          if (count > 0) {
            return RowGather.slice(schema().getFields(), batch, from, count, allocator);
          }
        }
      }
      close();
      return null;
    }

    @Override
    public void close() {
      if (open != null) {
        open.close();
      }
    }
  }
}
