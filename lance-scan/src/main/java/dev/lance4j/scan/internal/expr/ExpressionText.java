package dev.lance4j.scan.internal.expr;

import dev.lance4j.scan.expr.BinaryOperator;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.expr.Literals;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Writes an expression as text of the filter language. */
public final class ExpressionText {
  private static final Pattern PLAIN_NAME =
      Pattern.compile("[\\p{IsAlphabetic}_][\\p{IsAlphabetic}\\p{IsDigit}_]*");
  private static final Set<String> RESERVED =
      Set.of(
          "and", "or", "not", "is", "in", "between", "like", "ilike", "null", "true", "false",
          "case", "when", "then", "else", "end");

  private static final int MAX_DEPTH = 500;

  private final StringBuilder text = new StringBuilder();
  private int depth;

  private ExpressionText() {}

  /** The text of an expression. */
  public static String of(Expression expression) {
    ExpressionText writer = new ExpressionText();
    writer.write(expression);
    return writer.text.toString();
  }

  private void write(Expression expression) {
    if (++depth > MAX_DEPTH) {
      text.append('…');
    } else {
      writeNode(expression);
    }
    depth--;
  }

  private void writeNode(Expression expression) {
    if (expression instanceof Expression.Column column) {
      writeColumn(column);
    } else if (expression instanceof Expression.Literal literal) {
      text.append(literal(literal.value()));
    } else if (expression instanceof Expression.ListLiteral list) {
      writeAll("[", list.items(), ", ", "]");
    } else if (expression instanceof Expression.IntervalLiteral interval) {
      text.append("INTERVAL '").append(interval.months()).append(" months ");
      text.append(interval.days()).append(" days ");
      text.append(interval.nanos()).append(" nanoseconds'");
    } else if (expression instanceof Expression.And and) {
      writeOperands(and.operands(), " AND ");
    } else if (expression instanceof Expression.Or or) {
      writeOperands(or.operands(), " OR ");
    } else if (expression instanceof Expression.Not not) {
      text.append("NOT ");
      writeOperand(not.operand());
    } else if (expression instanceof Expression.Negation negation) {
      text.append("-(");
      write(negation.operand());
      text.append(')');
    } else if (expression instanceof Expression.Binary binary) {
      writeOperand(binary.left());
      text.append(' ').append(binary.operator().symbol()).append(' ');
      writeOperand(binary.right());
    } else {
      writePredicate(expression);
    }
  }

  private void writePredicate(Expression expression) {
    if (expression instanceof Expression.Is is) {
      writeOperand(is.operand());
      text.append(is.negated() ? " IS NOT " : " IS ").append(is.test());
    } else if (expression instanceof Expression.In in) {
      writeOperand(in.operand());
      text.append(in.negated() ? " NOT IN " : " IN ");
      writeAll("(", in.items(), ", ", ")");
    } else if (expression instanceof Expression.Between between) {
      writeOperand(between.operand());
      text.append(between.negated() ? " NOT BETWEEN " : " BETWEEN ");
      writeOperand(between.low());
      text.append(" AND ");
      writeOperand(between.high());
    } else if (expression instanceof Expression.Like like) {
      writeOperand(like.operand());
      text.append(like.negated() ? " NOT" : "").append(like.ignoreCase() ? " ILIKE " : " LIKE ");
      writeOperand(like.pattern());
    } else if (expression instanceof Expression.Call call) {
      text.append(name(call.function()));
      writeAll("(", call.arguments(), ", ", ")");
    } else if (expression instanceof Expression.Cast cast) {
      text.append(cast.safe() ? "TRY_CAST(" : "CAST(");
      write(cast.operand());
      text.append(" AS ").append(cast.type()).append(')');
    } else if (expression instanceof Expression.Case choice) {
      writeCase(choice);
    } else if (expression instanceof Expression.Subscript subscript) {
      writeOperand(subscript.operand());
      text.append('[');
      write(subscript.key());
      text.append(']');
    }
  }

  private void writeCase(Expression.Case choice) {
    text.append("CASE");
    choice.operand().ifPresent(operand -> writeAfter(" ", operand));
    for (Expression.Case.When branch : choice.branches()) {
      writeAfter(" WHEN ", branch.condition());
      writeAfter(" THEN ", branch.result());
    }
    choice.otherwise().ifPresent(otherwise -> writeAfter(" ELSE ", otherwise));
    text.append(" END");
  }

  private void writeAfter(String keyword, Expression expression) {
    text.append(keyword);
    write(expression);
  }

  private void writeColumn(Expression.Column column) {
    List<String> path = column.path();
    for (int i = 0; i < path.size(); i++) {
      text.append(i > 0 ? "." : "");
      text.append(i == 0 && column.exact() ? quoted(path.get(i)) : name(path.get(i)));
    }
  }

  private void writeOperands(List<Expression> operands, String separator) {
    for (int i = 0; i < operands.size(); i++) {
      text.append(i > 0 ? separator : "");
      writeOperand(operands.get(i));
    }
  }

  private void writeAll(String open, List<Expression> items, String separator, String close) {
    text.append(open);
    for (int i = 0; i < items.size(); i++) {
      text.append(i > 0 ? separator : "");
      write(items.get(i));
    }
    text.append(close);
  }

  private void writeOperand(Expression operand) {
    boolean simple =
        operand instanceof Expression.Column
            || operand instanceof Expression.Literal
            || operand instanceof Expression.ListLiteral
            || operand instanceof Expression.Call
            || operand instanceof Expression.Cast
            || operand instanceof Expression.Subscript;
    text.append(simple ? "" : "(");
    write(operand);
    text.append(simple ? "" : ")");
  }

  private static String literal(Object value) {
    if (value instanceof ByteBuffer bytes) {
      return Literals.of(bytes);
    }
    if (value instanceof BigInteger integer) {
      return integer.toString();
    }
    return Literals.of(value);
  }

  private static String name(String name) {
    boolean plain =
        PLAIN_NAME.matcher(name).matches() && !RESERVED.contains(name.toLowerCase(Locale.ROOT));
    return plain ? name : quoted(name);
  }

  private static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  /** A comparison as text, for errors. */
  static String of(BinaryOperator operator, Object left, Object right) {
    return left + " " + operator.symbol() + " " + right;
  }
}
