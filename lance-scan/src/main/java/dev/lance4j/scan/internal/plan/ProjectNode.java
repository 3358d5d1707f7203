package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.read.Morsel;
import dev.lance4j.scan.internal.read.Outputs;
import dev.lance4j.scan.internal.read.RowBatch;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.pojo.Schema;

/** Makes output columns of what was read of a morsel. Safe for use by many threads. */
final class ProjectNode implements PlanNode {
  private final MorselNode input;
  private final Outputs outputs;
  private final StepMetrics metrics = new StepMetrics();

  ProjectNode(MorselNode input, Outputs outputs) {
    this.input = input;
    this.outputs = outputs;
  }

  @Override
  public String describe() {
    return "Project " + list(outputs.columns());
  }

  static String list(List<OutputColumn> columns) {
    return columns.isEmpty()
        ? "no columns"
        : columns.stream().map(OutputColumn::describe).collect(Collectors.joining(", "));
  }

  @Override
  public List<PlanNode> inputs() {
    return List.of(input);
  }

  @Override
  public StepMetrics metrics() {
    return metrics;
  }

  Schema schema() {
    return outputs.schema();
  }

  /** The columns of the rows that are left of a morsel, owned by the caller. */
  ArrayBatch run(Morsel morsel) {
    try (RowBatch rows = input.run(morsel)) {
      StepMetrics.Span span = metrics.begin();
      ArrayBatch batch = rows.rows() == 0 ? new ArrayBatch(0, List.of()) : outputs.read(rows);
      span.end(batch.rows());
      return batch;
    }
  }
}
