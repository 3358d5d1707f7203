package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.type.Type;

/** Makes nodes, computing at once what is constant. */
public final class Nodes {
  private Nodes() {}

  /**
   * A conversion, or the node itself if it has the type.
   *
   * @throws InvalidInputException if the types have no conversion, or if the node is a constant
   *     that cannot be converted
   */
  public static Node cast(Node node, Type type, boolean safe) {
    if (node.type().equals(type)) {
      return node;
    }
    if (!Casts.allowed(node.type(), type)) {
      throw new InvalidInputException("Cannot cast " + node.type() + " to " + type);
    }
    if (node instanceof Constant constant) {
      return new Constant(type, Casts.cast(constant.value(), constant.type(), type, safe));
    }
    return new CastNode(node, type, safe);
  }

  /** A constant in place of a node whose children are all constants; errors wait for the rows. */
  public static Node fold(Node node) {
    if (node instanceof Constant || !node.isDeterministic()) {
      return node;
    }
    for (Node child : node.children()) {
      if (!(child instanceof Constant)) {
        return node;
      }
    }
    if (node instanceof ColumnNode) {
      return node;
    }
    try {
      return new Constant(node.type(), node.evaluate(Batch.single()));
    } catch (InvalidInputException e) {
      return node;
    }
  }
}
