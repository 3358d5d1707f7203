package dev.lance4j.scan.internal.expr;

import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.expr.parse.ExpressionParser;
import java.util.List;

/**
 * A call of {@code regexp_match} gives the groups of the match; where a condition is expected, it
 * means that there is a match.
 */
final class RegexpMatches {
  private RegexpMatches() {}

  static Expression asBoolean(Expression expression) {
    return asBoolean(expression, 0);
  }

  /** Leaves what is nested too deeply as it is: binding refuses it. */
  private static Expression asBoolean(Expression expression, int depth) {
    if (depth > ExpressionParser.MAX_NESTING) {
      return expression;
    }
    int below = depth + 1;
    if (expression instanceof Expression.Call call
        && call.function().equalsIgnoreCase("regexp_match")) {
      return new Expression.Is(call, Expression.Is.Test.NULL, true);
    } else if (expression instanceof Expression.Not not) {
      return new Expression.Not(asBoolean(not.operand(), below));
    } else if (expression instanceof Expression.And and) {
      return new Expression.And(all(and.operands(), below));
    } else if (expression instanceof Expression.Or or) {
      return new Expression.Or(all(or.operands(), below));
    } else if (expression instanceof Expression.Is is) {
      return new Expression.Is(asBoolean(is.operand(), below), is.test(), is.negated());
    }
    return expression;
  }

  private static List<Expression> all(List<Expression> operands, int depth) {
    return operands.stream().map(operand -> asBoolean(operand, depth)).toList();
  }
}
