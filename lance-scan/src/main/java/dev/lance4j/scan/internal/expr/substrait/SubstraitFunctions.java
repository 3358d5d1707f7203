package dev.lance4j.scan.internal.expr.substrait;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.BinaryOperator;
import dev.lance4j.scan.expr.Expression;
import io.substrait.proto.SimpleExtensionDeclaration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The functions that a message declares. */
final class SubstraitFunctions {
  private static final Map<String, BinaryOperator> OPERATORS =
      Map.ofEntries(
          Map.entry("equal", BinaryOperator.EQUAL),
          Map.entry("not_equal", BinaryOperator.NOT_EQUAL),
          Map.entry("lt", BinaryOperator.LESS),
          Map.entry("lte", BinaryOperator.LESS_OR_EQUAL),
          Map.entry("gt", BinaryOperator.GREATER),
          Map.entry("gte", BinaryOperator.GREATER_OR_EQUAL),
          Map.entry("is_distinct_from", BinaryOperator.DISTINCT),
          Map.entry("is_not_distinct_from", BinaryOperator.NOT_DISTINCT),
          Map.entry("add", BinaryOperator.ADD),
          Map.entry("subtract", BinaryOperator.SUBTRACT),
          Map.entry("multiply", BinaryOperator.MULTIPLY),
          Map.entry("divide", BinaryOperator.DIVIDE),
          Map.entry("mod", BinaryOperator.MODULO),
          Map.entry("modulus", BinaryOperator.MODULO),
          Map.entry("str_concat", BinaryOperator.CONCAT),
          Map.entry("bitwise_and", BinaryOperator.BIT_AND),
          Map.entry("bitwise_or", BinaryOperator.BIT_OR),
          Map.entry("bitwise_xor", BinaryOperator.BIT_XOR));

  private static final Map<String, UnaryOperator<Expression>> TESTS =
      Map.ofEntries(
          Map.entry("not", Expression.Not::new),
          Map.entry("negate", Expression.Negation::new),
          Map.entry("negative", Expression.Negation::new),
          Map.entry("is_null", is(Expression.Is.Test.NULL, false)),
          Map.entry("is_not_null", is(Expression.Is.Test.NULL, true)),
          Map.entry("is_true", is(Expression.Is.Test.TRUE, false)),
          Map.entry("is_not_true", is(Expression.Is.Test.TRUE, true)),
          Map.entry("is_false", is(Expression.Is.Test.FALSE, false)),
          Map.entry("is_not_false", is(Expression.Is.Test.FALSE, true)),
          Map.entry("is_unknown", is(Expression.Is.Test.UNKNOWN, false)),
          Map.entry("is_not_unknown", is(Expression.Is.Test.UNKNOWN, true)));

  private static final String BACKSLASH = "\\";

  private final Map<Integer, String> names;

  private SubstraitFunctions(Map<Integer, String> names) {
    this.names = names;
  }

  private static UnaryOperator<Expression> is(Expression.Is.Test test, boolean negated) {
    return operand -> new Expression.Is(operand, test, negated);
  }

  static SubstraitFunctions of(List<SimpleExtensionDeclaration> declarations) {
    Map<Integer, String> names = new HashMap<>();
    for (SimpleExtensionDeclaration declaration : declarations) {
      if (declaration.hasExtensionFunction()) {
        String name = declaration.getExtensionFunction().getName();
        int signature = name.indexOf(':');
        names.put(
            declaration.getExtensionFunction().getFunctionAnchor(),
            signature < 0 ? name : name.substring(0, signature));
      }
    }
    return new SubstraitFunctions(names);
  }

  /**
   * A call.
   *
   * @param anchor the number that the message gave the function
   * @throws InvalidInputException if it did not declare the function, or the arguments are too many
   *     or too few
   */
  Expression call(int anchor, List<Expression> arguments) {
    String name = names.get(anchor);
    if (name == null) {
      throw new InvalidInputException(
          "A Substrait filter calls function " + anchor + ", which it does not declare");
    }
    BinaryOperator operator = OPERATORS.get(name);
    if (operator != null) {
      return binary(name, operator, arguments);
    }
    UnaryOperator<Expression> test = TESTS.get(name);
    if (test != null) {
      check(arguments.size() == 1, name, arguments);
      return test.apply(arguments.get(0));
    }
    return switch (name) {
      case "and" -> connective(arguments, name, Expression.And::new);
      case "or" -> connective(arguments, name, Expression.Or::new);
      case "like", "ilike" -> like(name, arguments);
      case "between" -> {
        check(arguments.size() == 3, name, arguments);
        yield new Expression.Between(arguments.get(0), arguments.get(1), arguments.get(2), false);
      }
      default -> new Expression.Call(name, arguments);
    };
  }

  /** Operators with more than two arguments associate to the left. */
  private static Expression binary(
      String name, BinaryOperator operator, List<Expression> arguments) {
    check(arguments.size() >= 2, name, arguments);
    check(arguments.size() == 2 || !operator.isComparison(), name, arguments);
    Expression result = arguments.get(0);
    for (Expression argument : arguments.subList(1, arguments.size())) {
      result = new Expression.Binary(operator, result, argument);
    }
    return result;
  }

  private interface Connective {
    Expression of(List<Expression> operands);
  }

  private static Expression connective(
      List<Expression> arguments, String name, Connective connective) {
    check(!arguments.isEmpty(), name, arguments);
    return arguments.size() == 1 ? arguments.get(0) : connective.of(arguments);
  }

  private static Expression like(String name, List<Expression> arguments) {
    check(arguments.size() == 2 || arguments.size() == 3, name, arguments);
    if (arguments.size() == 3) {
      boolean backslash =
          arguments.get(2) instanceof Expression.Literal escape && BACKSLASH.equals(escape.value());
      if (!backslash) {
        throw new InvalidInputException(
            "The escape character of " + name + " must be a backslash in a Substrait filter");
      }
    }
    return new Expression.Like(arguments.get(0), arguments.get(1), name.equals("ilike"), false);
  }

  private static void check(boolean fits, String name, List<Expression> arguments) {
    if (!fits) {
      throw new InvalidInputException(
          "A Substrait filter calls " + name + " with " + arguments.size() + " arguments");
    }
  }
}
