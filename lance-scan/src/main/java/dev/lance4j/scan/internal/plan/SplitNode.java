package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.RowGather;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/** Cuts batches that have too many bytes into halves, and those again, down to single rows. */
final class SplitNode implements BatchNode {
  private final BatchNode input;
  private final long maxBytes;
  private final BufferAllocator allocator;
  private final StepMetrics metrics = new StepMetrics();

  SplitNode(BatchNode input, long maxBytes, BufferAllocator allocator) {
    this.input = input;
    this.maxBytes = maxBytes;
    this.allocator = allocator;
  }

  @Override
  public String describe() {
    return "Split batches above " + maxBytes + " bytes";
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
    return new MeteredBatches(new Batches(input.open()), metrics);
  }

  private final class Batches implements ArrayBatchReader.Source {
    private final ArrayBatchReader.Source whole;
    private ArrayBatch batch;
    private int given;

    Batches(ArrayBatchReader.Source whole) {
      this.whole = whole;
    }

    @Override
    public ArrayBatch next() {
      if (batch == null) {
        batch = whole.next();
        given = 0;
      }
      if (batch == null) {
        return null;
      }
      return given == 0 && MorselTask.bytes(batch) <= maxBytes ? release() : part();
    }

    private ArrayBatch release() {
      ArrayBatch result = batch;
      batch = null;
      return result;
    }

    /** As many of the rows that are left as fit. */
    private ArrayBatch part() {
      long width = Math.max(1, MorselTask.bytes(batch) / batch.rows());
      int count = (int) Math.max(1, Math.min(maxBytes / width, batch.rows() - given));
      ArrayBatch part = slice(count);
      while (count > 1 && MorselTask.bytes(part) > maxBytes) {
        part.close();
        count /= 2;
        part = slice(count);
      }
      given += count;
      if (given == batch.rows()) {
        release().close();
      }
      return part;
    }

    private ArrayBatch slice(int count) {
      return RowGather.slice(schema().getFields(), batch, given, count, allocator);
    }

    @Override
    public void close() {
      try (whole) {
        if (batch != null) {
          release().close();
        }
      }
    }
  }
}
