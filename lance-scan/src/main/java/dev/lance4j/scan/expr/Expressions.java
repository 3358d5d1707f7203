package dev.lance4j.scan.expr;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.Expression.And;
import dev.lance4j.scan.expr.Expression.Between;
import dev.lance4j.scan.expr.Expression.Binary;
import dev.lance4j.scan.expr.Expression.Call;
import dev.lance4j.scan.expr.Expression.Cast;
import dev.lance4j.scan.expr.Expression.Column;
import dev.lance4j.scan.expr.Expression.In;
import dev.lance4j.scan.expr.Expression.Is;
import dev.lance4j.scan.expr.Expression.Like;
import dev.lance4j.scan.expr.Expression.Not;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Makes expressions in Java. An argument that is not an {@link Expression} becomes a literal with
 * its value, see {@link Literals#of(Object)}; a name of a column is taken as it is, in its exact
 * case, dots and quotes included.
 *
 * <pre>{@code
 * and(eq("id", 42), or(isNull("title"), like("title", "Sin%")))
 * }</pre>
 */
public final class Expressions {
  private Expressions() {}

  /** A column, or with further names a field of struct columns. */
  public static Expression column(String name, String... fields) {
    List<String> path = new ArrayList<>(List.of(name));
    path.addAll(List.of(fields));
    return new Column(path, true);
  }

  /**
   * A constant; an expression is returned as it is.
   *
   * @throws InvalidInputException if the value has no literal
   */
  public static Expression literal(Object value) {
    return value instanceof Expression expression
        ? expression
        : Expression.parse(Literals.of(value));
  }

  /** True if all conditions are; of no conditions, true. */
  public static Expression and(Expression... conditions) {
    return switch (conditions.length) {
      case 0 -> literal(true);
      case 1 -> conditions[0];
      default -> new And(List.of(conditions));
    };
  }

  /** True if one of the conditions is; of no conditions, false. */
  public static Expression or(Expression... conditions) {
    return switch (conditions.length) {
      case 0 -> literal(false);
      case 1 -> conditions[0];
      default -> new Expression.Or(List.of(conditions));
    };
  }

  /** Null where the condition is null. */
  public static Expression not(Expression condition) {
    return new Not(condition);
  }

  /** {@code column = value}. */
  public static Expression eq(String column, Object value) {
    return binary(BinaryOperator.EQUAL, column(column), value);
  }

  /** {@code column != value}. */
  public static Expression ne(String column, Object value) {
    return binary(BinaryOperator.NOT_EQUAL, column(column), value);
  }

  /** {@code column < value}. */
  public static Expression lt(String column, Object value) {
    return binary(BinaryOperator.LESS, column(column), value);
  }

  /** {@code column <= value}. */
  public static Expression le(String column, Object value) {
    return binary(BinaryOperator.LESS_OR_EQUAL, column(column), value);
  }

  /** {@code column > value}. */
  public static Expression gt(String column, Object value) {
    return binary(BinaryOperator.GREATER, column(column), value);
  }

  /** {@code column >= value}. */
  public static Expression ge(String column, Object value) {
    return binary(BinaryOperator.GREATER_OR_EQUAL, column(column), value);
  }

  /** An operator between two operands, each an expression or a value. */
  public static Expression binary(BinaryOperator operator, Object left, Object right) {
    return new Binary(operator, literal(left), literal(right));
  }

  /**
   * {@code column IN (values)}.
   *
   * @throws InvalidInputException if there are no values
   */
  public static Expression in(String column, Collection<?> values) {
    if (values.isEmpty()) {
      throw new InvalidInputException("IN needs at least one value; use literal(false) for none");
    }
    List<Expression> items = new ArrayList<>();
    for (Object value : values) {
      items.add(literal(value));
    }
    return new In(column(column), items, false);
  }

  /** {@code column BETWEEN low AND high}, both included. */
  public static Expression between(String column, Object low, Object high) {
    return new Between(column(column), literal(low), literal(high), false);
  }

  /**
   * {@code column LIKE pattern}: {@code %} any run, {@code _} one character, a backslash escapes.
   */
  public static Expression like(String column, String pattern) {
    return new Like(column(column), literal(pattern), false, false);
  }

  /** {@code column IS NULL}. */
  public static Expression isNull(String column) {
    return new Is(column(column), Is.Test.NULL, false);
  }

  /** {@code column IS NOT NULL}. */
  public static Expression isNotNull(String column) {
    return new Is(column(column), Is.Test.NULL, true);
  }

  /** A call of a function; each argument is an expression or a value. */
  public static Expression call(String function, Object... arguments) {
    List<Expression> expressions = new ArrayList<>();
    for (Object argument : arguments) {
      expressions.add(literal(argument));
    }
    return new Call(function, expressions);
  }

  /** A conversion to a type by its SQL name; an inconvertible value is an error. */
  public static Expression cast(Expression operand, String type) {
    return new Cast(operand, type, false);
  }
}
