package dev.lance4j.scan.expr;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.ExpressionText;
import dev.lance4j.scan.internal.expr.parse.ExpressionParser;
import java.util.List;
import java.util.Optional;

/**
 * A filter or a projected value, not yet bound to a schema. Made from text by {@link
 * #parse(String)} or from Java by {@link Expressions}; immutable.
 *
 * <p>{@link Object#toString()} gives text that parses to the same tree, unless the tree uses a
 * construct that the language allows only inside the arguments of a function.
 */
public sealed interface Expression {

  /**
   * Parses a filter or a projected value.
   *
   * @throws InvalidInputException if the text is not in the language; the message gives the
   *     position and points at the fault
   */
  static Expression parse(String text) {
    return ExpressionParser.parse(text);
  }

  /**
   * A column, or a field of struct columns.
   *
   * @param path the column's name and, for a nested field, the names of the fields down to it
   * @param exact whether the first name must match in case; otherwise a column that equals it but
   *     for ASCII case is taken when no column equals it
   */
  record Column(List<String> path, boolean exact) implements Expression {
    public Column {
      if (path.isEmpty()) {
        throw new InvalidInputException("A column needs a name");
      }
      path = List.copyOf(path);
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /**
   * A constant.
   *
   * @param value null, {@code Boolean}, {@code Long}, {@code java.math.BigInteger} (a 64-bit
   *     unsigned number beyond the signed ones), {@code Double}, {@code String} or a read-only
   *     {@code java.nio.ByteBuffer}
   */
  record Literal(Object value) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** A list of constants: {@code [1, 2, 3]}. */
  record ListLiteral(List<Expression> items) implements Expression {
    public ListLiteral {
      items = List.copyOf(items);
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** A span of calendar months, days and nanoseconds; allowed only inside function arguments. */
  record IntervalLiteral(int months, int days, long nanos) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** {@code NOT operand}. */
  record Not(Expression operand) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** {@code -operand}. */
  record Negation(Expression operand) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** True if all operands are; two or more. */
  record And(List<Expression> operands) implements Expression {
    public And {
      operands = List.copyOf(operands);
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** True if one operand is; two or more. */
  record Or(List<Expression> operands) implements Expression {
    public Or {
      operands = List.copyOf(operands);
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** An operator between two operands. */
  record Binary(BinaryOperator operator, Expression left, Expression right) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** {@code operand IS [NOT] NULL | TRUE | FALSE}; never null itself. */
  record Is(Expression operand, Test test, boolean negated) implements Expression {
    /** What the operand is compared with. */
    public enum Test {
      NULL,
      TRUE,
      FALSE,
      /** Like {@code NULL}, for a condition; only inside function arguments. */
      UNKNOWN
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** {@code operand [NOT] IN (items)}. */
  record In(Expression operand, List<Expression> items, boolean negated) implements Expression {
    public In {
      items = List.copyOf(items);
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** {@code operand [NOT] BETWEEN low AND high}, both ends included. */
  record Between(Expression operand, Expression low, Expression high, boolean negated)
      implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** {@code operand [NOT] LIKE | ILIKE pattern}; a backslash escapes the next character. */
  record Like(Expression operand, Expression pattern, boolean ignoreCase, boolean negated)
      implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** A call of one of the functions listed in {@code docs/functions.md}. */
  record Call(String function, List<Expression> arguments) implements Expression {
    public Call {
      arguments = List.copyOf(arguments);
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /**
   * A conversion.
   *
   * @param type the SQL name of the target type, such as {@code bigint} or {@code decimal(10,2)}
   * @param safe whether a value that cannot be converted gives null instead of an error
   */
  record Cast(Expression operand, String type, boolean safe) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** {@code CASE}; allowed in text only inside function arguments. */
  record Case(Optional<Expression> operand, List<When> branches, Optional<Expression> otherwise)
      implements Expression {
    /** One {@code WHEN condition THEN result}. */
    public record When(Expression condition, Expression result) {}

    public Case {
      branches = List.copyOf(branches);
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** A field of a struct, an item of a list (from 1, or from the end below 0) or a map's value. */
  record Subscript(Expression operand, Expression key) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }
}
