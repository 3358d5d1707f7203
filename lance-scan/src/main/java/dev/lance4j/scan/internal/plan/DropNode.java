package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;

/** Leaves out the last columns, which were needed on the way. */
final class DropNode extends BatchStep {
  private final int kept;
  private final int dropped;

  /**
   * @param kept the number of columns that stay
   */
  DropNode(BatchNode input, int kept) {
    super(
        input,
        new Schema(
            input.schema().getFields().subList(0, kept), input.schema().getCustomMetadata()));
    this.kept = kept;
    this.dropped = input.schema().getFields().size() - kept;
  }

  @Override
  public String describe() {
    return "Drop " + dropped + (dropped == 1 ? " column" : " columns") + " of the order";
  }

  @Override
  ArrayBatch apply(ArrayBatch batch) {
    List<ArrayData> arrays = batch.arrays().subList(0, kept);
    return new ArrayBatch(batch.rows(), arrays.stream().map(ArrayData::retain).toList());
  }
}
