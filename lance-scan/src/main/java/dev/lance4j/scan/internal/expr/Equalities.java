package dev.lance4j.scan.internal.expr;

import dev.lance4j.scan.expr.BinaryOperator;
import dev.lance4j.scan.internal.expr.eval.ColumnNode;
import dev.lance4j.scan.internal.expr.eval.Comparison;
import dev.lance4j.scan.internal.expr.eval.Constant;
import dev.lance4j.scan.internal.expr.eval.Membership;
import dev.lance4j.scan.internal.expr.eval.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns {@code a = 1 OR a = 2 OR …} into {@code a IN (1, 2, …)}, which means the same and looks
 * each value up once, however many there are.
 */
final class Equalities {
  private static final int FEWEST = 3;

  private Equalities() {}

  /** The operands of an OR, with the equalities of a column in one where there are several. */
  static List<Node> merge(List<Node> operands) {
    Map<Integer, List<Constant>> byColumn = new HashMap<>();
    for (Node operand : operands) {
      if (isEquality(operand)) {
        byColumn.computeIfAbsent(column(operand), c -> new ArrayList<>()).add(constant(operand));
      }
    }
    byColumn.values().removeIf(constants -> constants.size() < FEWEST);
    if (byColumn.isEmpty()) {
      return operands;
    }
    List<Node> merged = new ArrayList<>();
    List<Integer> done = new ArrayList<>();
    for (Node operand : operands) {
      if (!isEquality(operand) || !byColumn.containsKey(column(operand))) {
        merged.add(operand);
      } else if (!done.contains(column(operand))) {
        done.add(column(operand));
        merged.add(new Membership(operand.children().get(0), byColumn.get(column(operand))));
      }
    }
    return merged;
  }

  private static boolean isEquality(Node node) {
    return node instanceof Comparison comparison
        && comparison.operator() == BinaryOperator.EQUAL
        && comparison.children().get(0) instanceof ColumnNode
        && comparison.children().get(1) instanceof Constant;
  }

  private static Integer column(Node equality) {
    return ((ColumnNode) equality.children().get(0)).index();
  }

  private static Constant constant(Node equality) {
    return (Constant) equality.children().get(1);
  }
}
