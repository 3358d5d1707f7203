package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.Values;
import java.util.List;

/** A column of the batch. */
public final class ColumnNode extends Node {
  private final int index;
  private final boolean nullable;

  public ColumnNode(Type type, int index, boolean nullable) {
    super(type, List.of());
    this.index = index;
    this.nullable = nullable;
  }

  /** Its place among the columns that the expression uses. */
  public int index() {
    return index;
  }

  @Override
  public boolean isNullable() {
    return nullable;
  }

  @Override
  public Values evaluate(Batch batch) {
    return batch.column(index);
  }
}
