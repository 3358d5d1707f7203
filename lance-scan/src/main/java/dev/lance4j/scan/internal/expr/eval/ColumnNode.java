package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.Values;
import java.util.List;

/** A column of the batch. */
public final class ColumnNode extends Node {
  private final int index;

  public ColumnNode(Type type, int index) {
    super(type, List.of());
    this.index = index;
  }

  @Override
  public Values evaluate(Batch batch) {
    return batch.column(index);
  }
}
