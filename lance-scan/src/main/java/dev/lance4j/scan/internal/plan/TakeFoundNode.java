package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.read.AddressReader;
import dev.lance4j.scan.internal.read.RowReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Reads columns of rows whose addresses are in the last column of the input, and puts them in place
 * of the addresses.
 */
final class TakeFoundNode implements BatchNode {
  private final BatchNode input;
  private final List<OutputColumn> columns;
  private final AddressReader reader;
  private final Schema schema;
  private final StepMetrics metrics = new StepMetrics();

  /**
   * @param columns what {@code rows} gives; may be none
   * @param reader of {@code rows}
   */
  TakeFoundNode(BatchNode input, List<OutputColumn> columns, RowReader rows, AddressReader reader) {
    this.input = input;
    this.columns = columns;
    this.reader = reader;
    int kept = input.schema().getFields().size() - 1;
    List<Field> fields = new ArrayList<>(input.schema().getFields().subList(0, kept));
    fields.addAll(rows.schema().getFields());
    this.schema = new Schema(fields);
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
    return schema;
  }

  @Override
  public ArrayBatchReader.Source open() {
    ArrayBatchReader.Source places = input.open();
    return new ArrayBatchReader.Source() {
      @Override
      public ArrayBatch next() {
        ArrayBatch batch = places.next();
        if (batch == null) {
          return null;
        }
        try (batch) {
          StepMetrics.Span span = metrics.begin();
          ArrayBatch taken = take(batch);
          span.end(taken.rows());
          return taken;
        }
      }

      @Override
      public void close() {
        places.close();
      }
    };
  }

  private ArrayBatch take(ArrayBatch batch) {
    int kept = batch.arrays().size() - 1;
    List<ArrayData> read =
        columns.isEmpty() ? List.of() : reader.read(TakeNode.addresses(batch)).arrays();
    List<ArrayData> arrays = new ArrayList<>(kept + read.size());
    batch.arrays().subList(0, kept).forEach(array -> arrays.add(array.retain()));
    arrays.addAll(read);
    return new ArrayBatch(batch.rows(), arrays);
  }
}
