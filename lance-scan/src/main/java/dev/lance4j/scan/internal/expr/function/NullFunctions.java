package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.BinaryOperator;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.expr.eval.CaseNode;
import dev.lance4j.scan.internal.expr.eval.Coalesce;
import dev.lance4j.scan.internal.expr.eval.Comparison;
import dev.lance4j.scan.internal.expr.eval.Constant;
import dev.lance4j.scan.internal.expr.eval.IsTest;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.eval.Nodes;
import dev.lance4j.scan.internal.expr.type.Coercion;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import java.util.List;
import java.util.Map;

/** Functions that choose by null, and those that ask for types. */
final class NullFunctions {
  private NullFunctions() {}

  static void register(Map<String, FunctionBinder> functions) {
    functions.put("coalesce", NullFunctions::coalesce);
    functions.put("nullif", NullFunctions::nullif);
    functions.put("ifnull", NullFunctions::nvl);
    functions.put("nvl", NullFunctions::nvl);
    functions.put("nvl2", NullFunctions::nvl2);
    functions.put("arrow_cast", NullFunctions::arrowCast);
    functions.put(
        "arrow_typeof",
        a -> {
          a.require(1);
          return Constant.of(a.get(0).type().toString());
        });
  }

  private static Node coalesce(Arguments a) {
    a.require(1, Integer.MAX_VALUE);
    refuseMixedConstants(a);
    return new Coalesce(a.common(0));
  }

  /** Constants of different types are more likely a column name in double quotes than meant. */
  private static void refuseMixedConstants(Arguments a) {
    for (int i = 0; i < a.count(); i++) {
      if (!(a.get(i) instanceof Constant)) {
        return;
      }
    }
    for (int i = 1; i < a.count(); i++) {
      boolean nulls = a.type(i).is(Kind.NULL) || a.type(0).is(Kind.NULL);
      if (!nulls && !a.type(i).equals(a.type(0))) {
        throw new InvalidInputException(
            a.function()
                + " mixes the constants "
                + a.type(0)
                + " and "
                + a.type(i)
                + " (double quotes make a string, back-ticks quote a column)");
      }
    }
  }

  private static Node nvl(Arguments a) {
    a.require(2);
    return coalesce(a);
  }

  /** A constant text takes the other argument's type. */
  private static Node nullif(Arguments a) {
    a.require(2);
    Type first = a.type(0);
    Type second = a.type(1);
    Node left = a.get(0);
    Node right = a.get(1);
    if (second.kind().isString() && right instanceof Constant && first.kind().isNumeric()) {
      right = Nodes.cast(right, first, false);
    }
    Type type = Coercion.numberBeforeText(left.type().decoded(), right.type().decoded());
    boolean dateBesideNumber =
        type != null
            && type.is(Kind.DATE32)
            && (first.kind().isNumeric() || second.kind().isNumeric());
    if (type == null || dateBesideNumber) {
      throw new InvalidInputException(
          a.function() + " does not apply to " + first + " and " + second);
    }
    Node value = Nodes.cast(left, type, false);
    Node equal = new Comparison(BinaryOperator.EQUAL, value, Nodes.cast(right, type, false));
    return new CaseNode(List.of(equal), List.of(Constant.nullOf(type), value));
  }

  private static Node nvl2(Arguments a) {
    a.require(3);
    List<Node> results = a.common(1);
    return new CaseNode(List.of(new IsTest(a.get(0), Expression.Is.Test.NULL, true)), results);
  }

  private static Node arrowCast(Arguments a) {
    a.require(2);
    return Nodes.cast(a.get(0), ArrowTypeText.parse(a.constantText(1)), false);
  }
}
