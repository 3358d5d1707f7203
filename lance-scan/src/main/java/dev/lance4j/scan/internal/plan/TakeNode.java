package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.read.AddressReader;
import dev.lance4j.scan.internal.read.RowReader;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;

/** Reads the columns of rows whose addresses are in the last column of the input. */
final class TakeNode implements BatchNode {
  private final BatchNode input;
  private final List<OutputColumn> columns;
  private final RowReader rows;
  private final AddressReader reader;
  private final StepMetrics metrics = new StepMetrics();

  /**
   * @param columns what {@code rows} gives
   * @param reader of {@code rows}
   */
  TakeNode(BatchNode input, List<OutputColumn> columns, RowReader rows, AddressReader reader) {
    this.input = input;
    this.columns = columns;
    this.rows = rows;
    this.reader = reader;
  }

  @Override
  public String describe() {
    return "Take " + ProjectNode.list(columns);
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
    return rows.schema();
  }

  @Override
  public ArrayBatchReader.Source open() {
    return new Batches(input.open());
  }

  /** The addresses in the last column of a batch. */
  static long[] addresses(ArrayBatch batch) {
    ArrayData column = batch.arrays().get(batch.arrays().size() - 1);
    long[] addresses = new long[batch.rows()];
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = column.buffer(1).getLong((long) i * Long.BYTES);
    }
    return addresses;
  }

  private final class Batches implements ArrayBatchReader.Source {
    private final ArrayBatchReader.Source places;

    Batches(ArrayBatchReader.Source places) {
      this.places = places;
    }

    @Override
    public ArrayBatch next() {
      ArrayBatch batch = places.next();
      if (batch == null) {
        return null;
      }
      try (batch) {
        StepMetrics.Span span = metrics.begin();
        ArrayBatch taken = reader.read(addresses(batch));
        span.end(taken.rows());
        return taken;
      }
    }

    @Override
    public void close() {
      places.close();
    }
  }
}
