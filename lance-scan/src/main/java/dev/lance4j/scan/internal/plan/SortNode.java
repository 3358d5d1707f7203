package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.sort.KeyColumn;
import dev.lance4j.format.internal.sort.SortedRows;
import dev.lance4j.format.internal.sort.TopRows;
import dev.lance4j.scan.Ordering;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/** Puts rows in order: all of them, or only the first ones. */
final class SortNode implements BatchNode {
  private final BatchNode input;
  private final List<Ordering> orderings;
  private final List<KeyColumn> keys;
  private final int wanted;
  private final int batchRows;
  private final SortedRows.Memory memory;
  private final BufferAllocator allocator;
  private final StepMetrics metrics = new StepMetrics();

  /**
   * @param orderings what the user asked for
   * @param keys the columns of the input that they mean
   * @param wanted how many of the first rows are wanted and kept in memory; 0 for all rows
   * @param batchRows the most rows of a batch
   */
  SortNode(
      BatchNode input,
      List<Ordering> orderings,
      List<KeyColumn> keys,
      int wanted,
      int batchRows,
      SortedRows.Memory memory,
      BufferAllocator allocator) {
    this.input = input;
    this.orderings = orderings;
    this.keys = keys;
    this.wanted = wanted;
    this.batchRows = batchRows;
    this.memory = memory;
    this.allocator = allocator;
  }

  @Override
  public String describe() {
    String by = orderings.stream().map(Ordering::toString).collect(Collectors.joining("; "));
    return wanted > 0 ? "Find the first " + wanted + " rows by " + by : "Sort by " + by;
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
    WaitedFor rows = new WaitedFor(input.open());
    ArrayBatchReader.Source sorted =
        wanted > 0
            ? new TopRows(
                rows, schema(), keys, wanted, batchRows, memory, allocator, metrics.spilled())
            : new SortedRows(rows, schema(), keys, batchRows, memory, allocator, metrics.spilled());
    return new Timed(sorted, rows);
  }

  /** Knows how long the input took. */
  private static final class WaitedFor implements ArrayBatchReader.Source {
    private final ArrayBatchReader.Source input;
    private long nanos;

    WaitedFor(ArrayBatchReader.Source input) {
      this.input = input;
    }

    @Override
    public ArrayBatch next() {
      long start = System.nanoTime();
      try {
        return input.next();
      } finally {
        nanos += System.nanoTime() - start;
      }
    }

    @Override
    public void close() {
      input.close();
    }
  }

  /** Counts batches and the time without that of the input. */
  private final class Timed implements ArrayBatchReader.Source {
    private final ArrayBatchReader.Source sorted;
    private final WaitedFor rows;

    Timed(ArrayBatchReader.Source sorted, WaitedFor rows) {
      this.sorted = sorted;
      this.rows = rows;
    }

    @Override
    public ArrayBatch next() {
      long waited = rows.nanos;
      long start = System.nanoTime();
      ArrayBatch batch = sorted.next();
      metrics.addNanos(System.nanoTime() - start - (rows.nanos - waited));
      if (batch != null) {
        metrics.passed(batch.rows());
      }
      return batch;
    }

    @Override
    public void close() {
      sorted.close();
    }
  }
}
