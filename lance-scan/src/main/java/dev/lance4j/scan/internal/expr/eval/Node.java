package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.BoolValues;
import dev.lance4j.scan.internal.expr.values.Values;
import java.util.List;

/** An expression bound to a schema: it has a type and gives a value for each row of a batch. */
public abstract class Node {
  private final Type type;
  private final List<Node> children;

  protected Node(Type type, List<Node> children) {
    this.type = type;
    this.children = List.copyOf(children);
  }

  public final Type type() {
    return type;
  }

  public final List<Node> children() {
    return children;
  }

  /** One value for each row of the batch. */
  public abstract Values evaluate(Batch batch);

  /**
   * A bit for each row for which this, a boolean, is true. May leave undecided what is false or
   * null.
   */
  public long[] truth(Batch batch) {
    return ((BoolValues) evaluate(batch)).bits();
  }

  /**
   * Whether a row costs much more than a comparison or may fail, so that rows that are decided
   * already should be left out.
   */
  public boolean isCostly() {
    for (Node child : children) {
      if (child.isCostly()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a value may be null. Unless a kind of node knows better it may; a kind that gives nulls
   * for null operands only says {@link #anyChildIsNullable}.
   */
  public boolean isNullable() {
    return true;
  }

  /** Whether a value of an operand may be null. */
  protected final boolean anyChildIsNullable() {
    for (Node child : children) {
      if (child.isNullable()) {
        return true;
      }
    }
    return false;
  }

  /** Whether each evaluation gives the same values for the same rows. */
  public boolean isDeterministic() {
    for (Node child : children) {
      if (!child.isDeterministic()) {
        return false;
      }
    }
    return true;
  }
}
