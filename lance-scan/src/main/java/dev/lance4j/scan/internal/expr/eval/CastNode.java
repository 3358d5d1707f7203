package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.Values;
import java.util.List;

/** A conversion of an operand's values. */
public final class CastNode extends Node {
  private final Node operand;
  private final boolean safe;

  public CastNode(Node operand, Type type, boolean safe) {
    super(type, List.of(operand));
    this.operand = operand;
    this.safe = safe;
  }

  public Node operand() {
    return operand;
  }

  @Override
  public boolean isNullable() {
    return safe || operand.isNullable();
  }

  @Override
  public Values evaluate(Batch batch) {
    return Casts.cast(operand.evaluate(batch), operand.type(), type(), safe);
  }

  /** A value may have no counterpart: not to be found out for rows that do not matter. */
  @Override
  public boolean isCostly() {
    return true;
  }
}
