package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayGather;
import dev.lance4j.format.internal.data.BatchVectors;
import dev.lance4j.format.internal.json.MalformedJsonbException;
import dev.lance4j.scan.internal.expr.Condition;
import dev.lance4j.scan.internal.read.ExpressionInput;
import dev.lance4j.scan.internal.read.Morsel;
import dev.lance4j.scan.internal.read.RowBatch;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/** Keeps the rows for which a condition is true. */
final class FilterNode implements MorselNode {
  private final MorselNode input;
  private final Condition filter;
  private final ExpressionInput columns;
  private final List<Kept> kept;
  private final StepMetrics metrics = new StepMetrics();

  /** A slot that is needed after this step. */
  record Kept(int slot, Field field) {}

  /**
   * @param columns those of the condition
   * @param kept what is read already and needed later
   */
  FilterNode(MorselNode input, Condition filter, ExpressionInput columns, List<Kept> kept) {
    this.input = input;
    this.filter = filter;
    this.columns = columns;
    this.kept = kept;
  }

  @Override
  public String describe() {
    return "Filter " + filter;
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
    boolean complete = false;
    try {
      StepMetrics.Span span = metrics.begin();
      int[] chosen = select(rows);
      RowBatch left = chosen.length == rows.rows() ? rows : choose(rows, chosen);
      complete = left == rows;
      span.end(left.rows());
      return left;
    } finally {
      if (!complete) {
        rows.close();
      }
    }
  }

  private int[] select(RowBatch rows) {
    try (BatchVectors vectors = columns.open(rows)) {
      return filter.select(vectors.root(), vectors.dictionaries());
    } catch (MalformedJsonbException e) {
      throw columns.corrupt(rows, e);
    }
  }

  private RowBatch choose(RowBatch rows, int[] chosen) {
    RowBatch left = rows.choose(chosen);
    if (chosen.length == 0) {
      return left;
    }
    boolean complete = false;
    try {
      for (Kept each : kept) {
        ArrayData all = rows.array(each.slot());
        left.put(
            each.slot(), ArrayGather.gather(each.field(), all, chosen, rows.source().allocator()));
      }
      complete = true;
      return left;
    } finally {
      if (!complete) {
        left.close();
      }
    }
  }
}
