package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;

/** Leaves out the last columns, which were needed on the way. */
final class DropNode implements BatchNode {
  private final BatchNode input;
  private final Schema schema;
  private final StepMetrics metrics = new StepMetrics();

  /**
   * @param kept the number of columns that stay
   */
  DropNode(BatchNode input, int kept) {
    this.input = input;
    this.schema =
        new Schema(input.schema().getFields().subList(0, kept), input.schema().getCustomMetadata());
  }

  @Override
  public String describe() {
    int dropped = input.schema().getFields().size() - schema.getFields().size();
    return "Drop " + dropped + (dropped == 1 ? " column" : " columns") + " of the order";
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
    ArrayBatchReader.Source all = input.open();
    return new ArrayBatchReader.Source() {
      @Override
      public ArrayBatch next() {
        ArrayBatch batch = all.next();
        if (batch == null) {
          return null;
        }
        int kept = schema.getFields().size();
        List<ArrayData> arrays = batch.arrays();
        arrays.subList(kept, arrays.size()).forEach(ArrayData::close);
        metrics.passed(batch.rows());
        return new ArrayBatch(batch.rows(), List.copyOf(arrays.subList(0, kept)));
      }

      @Override
      public void close() {
        all.close();
      }
    };
  }
}
