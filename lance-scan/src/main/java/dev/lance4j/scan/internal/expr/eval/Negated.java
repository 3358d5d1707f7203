package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.BoolValues;
import dev.lance4j.scan.internal.expr.values.Values;
import java.util.List;

/** NOT: null stays null. */
public final class Negated extends Node {
  private final Node operand;

  public Negated(Node operand) {
    super(Type.BOOLEAN, List.of(operand));
    this.operand = operand;
  }

  @Override
  public boolean isNullable() {
    return anyChildIsNullable();
  }

  @Override
  public Values evaluate(Batch batch) {
    BoolValues values = (BoolValues) operand.evaluate(batch);
    return new BoolValues(
        values.size(), CompareKernels.not(values.bits(), values.size()), values.valid());
  }
}
