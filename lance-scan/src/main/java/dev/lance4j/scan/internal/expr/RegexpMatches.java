package dev.lance4j.scan.internal.expr;

import dev.lance4j.scan.expr.Expression;
import java.util.List;

/**
 * A call of {@code regexp_match} gives the groups of the match; where a condition is expected, it
 * means that there is a match.
 */
final class RegexpMatches {
  private RegexpMatches() {}

  static Expression asBoolean(Expression expression) {
    if (expression instanceof Expression.Call call
        && call.function().equalsIgnoreCase("regexp_match")) {
      return new Expression.Is(call, Expression.Is.Test.NULL, true);
    } else if (expression instanceof Expression.Not not) {
      return new Expression.Not(asBoolean(not.operand()));
    } else if (expression instanceof Expression.And and) {
      return new Expression.And(all(and.operands()));
    } else if (expression instanceof Expression.Or or) {
      return new Expression.Or(all(or.operands()));
    } else if (expression instanceof Expression.Is is) {
      return new Expression.Is(asBoolean(is.operand()), is.test(), is.negated());
    }
    return expression;
  }

  private static List<Expression> all(List<Expression> operands) {
    return operands.stream().map(RegexpMatches::asBoolean).toList();
  }
}
