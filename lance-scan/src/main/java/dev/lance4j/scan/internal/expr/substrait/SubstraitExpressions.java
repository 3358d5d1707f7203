package dev.lance4j.scan.internal.expr.substrait;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.Expression;
import io.substrait.proto.Expression.Cast;
import io.substrait.proto.Expression.IfThen;
import io.substrait.proto.Expression.ScalarFunction;
import io.substrait.proto.Expression.SingularOrList;
import io.substrait.proto.FunctionArgument;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns the expressions of one message into ours. */
final class SubstraitExpressions {
  private final SubstraitFields fields;
  private final SubstraitFunctions functions;

  SubstraitExpressions(SubstraitFields fields, SubstraitFunctions functions) {
    this.fields = fields;
    this.functions = functions;
  }

  /**
   * @throws InvalidInputException if the expression is of a kind that filters do not know
   */
  Expression expression(io.substrait.proto.Expression expression) {
    return switch (expression.getRexTypeCase()) {
      case LITERAL -> SubstraitLiterals.literal(expression.getLiteral());
      case SELECTION -> fields.column(expression.getSelection());
      case SCALAR_FUNCTION -> call(expression.getScalarFunction());
      case IF_THEN -> choice(expression.getIfThen());
      case SINGULAR_OR_LIST -> oneOf(expression.getSingularOrList());
      case CAST -> cast(expression.getCast());
      default ->
          throw new InvalidInputException(
              "A Substrait filter cannot use an expression of the kind "
                  + expression.getRexTypeCase()
                  + "; use literals, fields, scalar functions, if-then, or-lists and casts");
    };
  }

  private List<Expression> expressions(List<io.substrait.proto.Expression> expressions) {
    List<Expression> results = new ArrayList<>(expressions.size());
    for (io.substrait.proto.Expression expression : expressions) {
      results.add(expression(expression));
    }
    return results;
  }

  private Expression call(ScalarFunction call) {
    List<Expression> arguments = new ArrayList<>(call.getArgumentsCount());
    for (FunctionArgument argument : call.getArgumentsList()) {
      if (!argument.hasValue()) {
        throw new InvalidInputException(
            "The arguments of the functions of a Substrait filter must be values");
      }
      arguments.add(expression(argument.getValue()));
    }
    return functions.call(call.getFunctionReference(), arguments);
  }

  private Expression choice(IfThen choice) {
    List<Expression.Case.When> branches = new ArrayList<>(choice.getIfsCount());
    for (IfThen.IfClause clause : choice.getIfsList()) {
      branches.add(
          new Expression.Case.When(expression(clause.getIf()), expression(clause.getThen())));
    }
    if (branches.isEmpty()) {
      throw new InvalidInputException("An if-then of a Substrait filter has no branch");
    }
    return new Expression.Case(
        Optional.empty(),
        branches,
        choice.hasElse() ? Optional.of(expression(choice.getElse())) : Optional.empty());
  }

  private Expression oneOf(SingularOrList list) {
    if (list.getOptionsCount() == 0) {
      throw new InvalidInputException("An or-list of a Substrait filter has no options");
    }
    return new Expression.In(
        expression(list.getValue()), expressions(list.getOptionsList()), false);
  }

  private Expression cast(Cast cast) {
    Expression operand = expression(cast.getInput());
    SubstraitTypes.Named type = SubstraitTypes.of(cast.getType());
    if (cast.getFailureBehavior() != Cast.FailureBehavior.FAILURE_BEHAVIOR_RETURN_NULL) {
      return type.cast(operand);
    }
    return new Expression.Cast(
        operand,
        type.sql()
            .orElseThrow(
                () ->
                    new InvalidInputException(
                        "A Substrait filter cannot cast to "
                            + type.arrow()
                            + " with null for what does not fit; let it fail instead")),
        true);
  }
}
