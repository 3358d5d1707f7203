package dev.lance4j.scan.internal.plan;

import dev.lance4j.scan.internal.column.ReadColumns;
import dev.lance4j.scan.internal.column.ReadGroup;
import dev.lance4j.scan.internal.read.Morsel;
import dev.lance4j.scan.internal.read.RowBatch;
import java.util.List;

/** Reads columns of all rows of a morsel. */
final class ReadNode implements MorselNode {
  private final ReadColumns columns;
  private final ReadGroup group;
  private final StepMetrics metrics = new StepMetrics();

  /**
   * @param columns of the whole plan
   * @param group those that this step reads
   */
  ReadNode(ReadColumns columns, ReadGroup group) {
    this.columns = columns;
    this.group = group;
  }

  @Override
  public String describe() {
    return "Read " + (group.isEmpty() ? "no columns" : String.join(", ", group.names()));
  }

  @Override
  public List<PlanNode> inputs() {
    return List.of();
  }

  @Override
  public StepMetrics metrics() {
    return metrics;
  }

  @Override
  public RowBatch run(Morsel morsel) {
    StepMetrics.Span span = metrics.begin();
    RowBatch rows = new RowBatch(morsel.fragment(), morsel.offsets(), columns.size());
    rows.put(group, morsel.fragment().read(group, morsel.offsets()));
    span.end(rows.rows());
    return rows;
  }
}
