package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.internal.data.BatchVectors;
import dev.lance4j.scan.expr.BoundExpression;
import dev.lance4j.scan.internal.column.OutputColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Schema;

/** Makes output columns of rows that were found. */
final class ProjectFoundNode extends BatchStep {
  private final List<OutputColumn> columns;
  private final List<Made> made = new ArrayList<>();
  private final BufferAllocator allocator;

  /**
   * How a column is made.
   *
   * @param position of it in the input
   * @param expression that computes it instead; null for none
   * @param inputs of the expression
   */
  private record Made(int position, BoundExpression expression, BatchColumns inputs) {}

  /**
   * @param columns what to give
   * @param known the columns of the input
   */
  ProjectFoundNode(
      BatchNode input,
      List<OutputColumn> columns,
      FoundColumns known,
      Map<String, String> metadata,
      BufferAllocator allocator) {
    super(input, new Schema(columns.stream().map(OutputColumn::field).toList(), metadata));
    this.columns = columns;
    this.allocator = allocator;
    for (OutputColumn column : columns) {
      made.add(made(column, known));
    }
  }

  private static Made made(OutputColumn column, FoundColumns known) {
    if (column instanceof OutputColumn.Computed computed
        && known.usesFound(computed.expression().columns())) {
      return new Made(-1, computed.expression(), known.input(computed.expression().columns()));
    }
    return new Made(known.position(column), null, null);
  }

  /** Notes what is needed for the columns. */
  static void addNeeds(List<OutputColumn> columns, FoundColumns known) {
    columns.forEach(column -> made(column, known));
  }

  @Override
  public String describe() {
    return "Project " + ProjectNode.list(columns);
  }

  @Override
  ArrayBatch apply(ArrayBatch batch) {
    List<ArrayData> arrays = new ArrayList<>(made.size());
    boolean complete = false;
    try {
      for (Made each : made) {
        arrays.add(
            each.expression() == null
                ? batch.arrays().get(each.position()).retain()
                : evaluate(each, batch));
      }
      complete = true;
      return new ArrayBatch(batch.rows(), arrays);
    } finally {
      if (!complete) {
        arrays.forEach(ArrayData::close);
      }
    }
  }

  private ArrayData evaluate(Made column, ArrayBatch batch) {
    try (BatchVectors vectors = column.inputs().open(batch, allocator);
        FieldVector values =
            column.expression().evaluate("", vectors.root(), vectors.dictionaries(), allocator)) {
      return ArrayDataVectors.of(values, batch.rows(), column.expression().toString(), null);
    }
  }
}
