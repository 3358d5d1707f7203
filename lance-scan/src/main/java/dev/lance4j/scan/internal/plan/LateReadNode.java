package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.RowGather;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.scan.internal.column.ReadGroup;
import dev.lance4j.scan.internal.read.Morsel;
import dev.lance4j.scan.internal.read.RowBatch;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Reads columns of the rows that are left, with the rows between them where that is cheaper. Learns
 * from what was read how wide the columns are.
 */
final class LateReadNode implements MorselNode {
  private final MorselNode input;
  private final ReadGroup group;
  private final List<Field> fields;
  private final StepMetrics metrics = new StepMetrics();
  private volatile double width;

  LateReadNode(MorselNode input, ReadGroup group) {
    this.input = input;
    this.group = group;
    this.fields = group.schema().fields().stream().map(LanceField::toArrow).toList();
    this.width = group.estimatedWidth();
  }

  @Override
  public String describe() {
    return "Read of rows left " + String.join(", ", group.names());
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
  public RowBatch run(Morsel morsel) {
    RowBatch rows = input.run(morsel);
    if (rows.rows() == 0) {
      return rows;
    }
    boolean complete = false;
    try {
      StepMetrics.Span span = metrics.begin();
      rows.put(group, read(rows));
      span.end(rows.rows());
      complete = true;
      return rows;
    } finally {
      if (!complete) {
        rows.close();
      }
    }
  }

  private List<ArrayData> read(RowBatch rows) {
    RowRanges wanted = rows.offsets();
    RowRanges covering = ReadRanges.cheapest(wanted, width);
    List<ArrayData> arrays = rows.fragment().read(group, covering);
    if (covering == wanted) {
      learn(arrays, wanted.rows());
      return arrays;
    }
    try (ArrayBatch all = new ArrayBatch((int) covering.rows(), arrays)) {
      learn(arrays, covering.rows());
      int[] positions = ReadRanges.positions(wanted, covering);
      return RowGather.gather(fields, all, positions, rows.source().allocator()).arrays();
    }
  }

  /** Threads may overwrite what others learned meanwhile; any of it is good. */
  private void learn(List<ArrayData> arrays, long rows) {
    long bytes = 0;
    for (ArrayData array : arrays) {
      bytes += array.bytes();
    }
    width = (width + (double) bytes / rows) / 2;
  }
}
