package dev.lance4j.scan.internal.expr.parse;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.BinaryOperator;
import dev.lance4j.scan.expr.Expression;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/**
 * Builds the tree from what was parsed and refuses what the language knows only inside the
 * arguments of a function.
 */
final class ExpressionBuilder extends FilterGrammarBaseVisitor<Expression> {
  private static final Set<String> ONLY_NESTED_FUNCTIONS =
      Set.of("substr", "substring", "trim", "floor", "ceil", "position", "extract", "overlay");
  private static final Set<String> QUANTIFIERS = Set.of("any", "all", "some");

  /** Functions that need no parentheses. */
  private static final Set<String> CLOCK =
      Set.of("current_date", "current_time", "current_timestamp");

  private final SyntaxErrors errors;
  private int openCalls;

  ExpressionBuilder(SyntaxErrors errors) {
    this.errors = errors;
  }

  @Override
  public Expression visitConjunction(FilterGrammarParser.ConjunctionContext context) {
    List<Expression> operands = new ArrayList<>();
    FilterGrammarParser.BooleanExpressionContext next = context;
    while (next instanceof FilterGrammarParser.ConjunctionContext and) {
      operands.add(visit(and.booleanExpression(1)));
      next = and.booleanExpression(0);
    }
    operands.add(visit(next));
    Collections.reverse(operands);
    return new Expression.And(operands);
  }

  @Override
  public Expression visitDisjunction(FilterGrammarParser.DisjunctionContext context) {
    List<Expression> operands = new ArrayList<>();
    FilterGrammarParser.BooleanExpressionContext next = context;
    while (next instanceof FilterGrammarParser.DisjunctionContext or) {
      operands.add(visit(or.booleanExpression(1)));
      next = or.booleanExpression(0);
    }
    operands.add(visit(next));
    Collections.reverse(operands);
    return new Expression.Or(operands);
  }

  @Override
  public Expression visitExclusiveDisjunction(
      FilterGrammarParser.ExclusiveDisjunctionContext context) {
    throw errors.at(
        context.XOR().getSymbol(), "The operator XOR is not supported (write a != b instead)");
  }

  @Override
  public Expression visitNegated(FilterGrammarParser.NegatedContext context) {
    return new Expression.Not(visit(context.booleanExpression()));
  }

  @Override
  public Expression visitPredicated(FilterGrammarParser.PredicatedContext context) {
    Expression result = visit(context.valueExpression());
    for (FilterGrammarParser.PredicateContext predicate : context.predicate()) {
      result = predicate(result, predicate);
    }
    return result;
  }

  private Expression predicate(Expression operand, FilterGrammarParser.PredicateContext predicate) {
    if (predicate instanceof FilterGrammarParser.ComparisonContext comparison) {
      return comparison(operand, comparison);
    } else if (predicate instanceof FilterGrammarParser.IsTestContext test) {
      return isTest(operand, test);
    } else if (predicate instanceof FilterGrammarParser.DistinctFromContext distinct) {
      requireNested(distinct, "IS DISTINCT FROM");
      return new Expression.Binary(
          distinct.NOT() == null ? BinaryOperator.DISTINCT : BinaryOperator.NOT_DISTINCT,
          operand,
          visit(distinct.valueExpression()));
    } else if (predicate instanceof FilterGrammarParser.MembershipContext membership) {
      return membership(operand, membership);
    } else if (predicate instanceof FilterGrammarParser.RangeContext range) {
      return new Expression.Between(
          operand, visit(range.low), visit(range.high), range.NOT() != null);
    } else if (predicate instanceof FilterGrammarParser.PatternContext pattern) {
      requireBackslash(pattern);
      return new Expression.Like(
          operand,
          visit(pattern.valueExpression()),
          pattern.ILIKE() != null,
          pattern.NOT() != null);
    } else if (predicate instanceof FilterGrammarParser.SimilarContext similar) {
      return similar(operand, similar);
    }
    throw errors.at(
        predicate.getStart(),
        "RLIKE and REGEXP are not supported (use regexp_like(text, pattern))");
  }

  private Expression comparison(
      Expression operand, FilterGrammarParser.ComparisonContext comparison) {
    Token token = comparison.operator.getStart();
    String symbol = token.getText();
    BinaryOperator operator =
        switch (symbol) {
          case "==" -> BinaryOperator.EQUAL;
          case "<>" -> BinaryOperator.NOT_EQUAL;
          default -> operator(token, "it is not supported");
        };
    if (operator.compareTo(BinaryOperator.NOT_DISTINCT) > 0) {
      requireNested(comparison.operator, "The operator " + symbol);
    }
    return new Expression.Binary(operator, operand, visit(comparison.valueExpression()));
  }

  private BinaryOperator operator(Token token, String why) {
    for (BinaryOperator operator : BinaryOperator.values()) {
      if (operator.symbol().equals(token.getText())) {
        return operator;
      }
    }
    throw errors.at(token, "Unknown operator " + token.getText() + ": " + why);
  }

  private Expression isTest(Expression operand, FilterGrammarParser.IsTestContext context) {
    boolean negated = context.NOT() != null;
    Expression.Is.Test test = Expression.Is.Test.NULL;
    if (context.UNKNOWN() != null) {
      requireNested(context, "IS UNKNOWN");
      test = Expression.Is.Test.UNKNOWN;
    } else if (context.TRUE() != null) {
      test = Expression.Is.Test.TRUE;
    } else if (context.FALSE() != null) {
      test = Expression.Is.Test.FALSE;
    }
    return new Expression.Is(operand, test, negated);
  }

  private Expression membership(
      Expression operand, FilterGrammarParser.MembershipContext membership) {
    if (membership.primaryExpression()
        instanceof FilterGrammarParser.ParenthesizedContext parenthesized) {
      return new Expression.In(
          operand, visitAll(parenthesized.booleanExpression()), membership.NOT() != null);
    }
    if (membership.primaryExpression() instanceof FilterGrammarParser.SubQueryContext query) {
      return visitSubQuery(query);
    }
    throw errors.at(
        membership.primaryExpression().getStart(), "IN needs a list of values in parentheses");
  }

  private void requireBackslash(FilterGrammarParser.PatternContext pattern) {
    if (pattern.STRING() != null && !Text.unquote(pattern.STRING().getText()).equals("\\")) {
      throw errors.at(
          pattern.STRING().getSymbol(),
          "LIKE knows no other escape character than the backslash, which needs no ESCAPE");
    }
  }

  private Expression similar(Expression operand, FilterGrammarParser.SimilarContext similar) {
    requireNested(similar, "SIMILAR TO");
    if (similar.ESCAPE() != null) {
      throw errors.at(similar.ESCAPE().getSymbol(), "SIMILAR TO has no ESCAPE");
    }
    BinaryOperator operator =
        similar.NOT() == null ? BinaryOperator.MATCHES : BinaryOperator.NOT_MATCHES;
    return new Expression.Binary(operator, operand, visit(similar.valueExpression()));
  }

  @Override
  public Expression visitPrimary(FilterGrammarParser.PrimaryContext context) {
    return visit(context.primaryExpression());
  }

  @Override
  public Expression visitSigned(FilterGrammarParser.SignedContext context) {
    String operator = context.operator.getText();
    if (operator.equals("+")) {
      throw errors.at(context.operator, "A leading + is not supported");
    }
    Expression operand = visit(context.valueExpression());
    if (operator.equals("~")) {
      return new Expression.Not(operand);
    }
    return isNumber(context.valueExpression())
        ? negated((Expression.Literal) operand)
        : new Expression.Negation(operand);
  }

  private static boolean isNumber(FilterGrammarParser.ValueExpressionContext context) {
    return context instanceof FilterGrammarParser.PrimaryContext primary
        && primary.primaryExpression() instanceof FilterGrammarParser.LiteralValueContext literal
        && literal.literal().NUMBER() != null;
  }

  private static Expression negated(Expression.Literal number) {
    if (number.value() instanceof Long value) {
      return new Expression.Literal(-value);
    }
    return new Expression.Literal(-((Number) number.value()).doubleValue());
  }

  @Override
  public Expression visitProduct(FilterGrammarParser.ProductContext context) {
    return chain(context);
  }

  @Override
  public Expression visitSum(FilterGrammarParser.SumContext context) {
    return chain(context);
  }

  /** A chain of operators nests to the left, once per operator: unrolled without recursion. */
  private Expression chain(FilterGrammarParser.ValueExpressionContext context) {
    List<FilterGrammarParser.ValueExpressionContext> rights = new ArrayList<>();
    List<BinaryOperator> operators = new ArrayList<>();
    FilterGrammarParser.ValueExpressionContext next = context;
    while (true) {
      if (next instanceof FilterGrammarParser.ProductContext product) {
        operators.add(operator(product.operator, "it is not supported"));
        rights.add(product.right);
        next = product.left;
      } else if (next instanceof FilterGrammarParser.SumContext sum) {
        operators.add(operator(sum.operator, "it is not supported"));
        rights.add(sum.right);
        next = sum.left;
      } else {
        break;
      }
    }
    if (operators.size() > ExpressionParser.MAX_NESTING) {
      throw new InvalidInputException(
          "A chain of more than "
              + ExpressionParser.MAX_NESTING
              + " arithmetic operators is not supported; use parentheses to group it");
    }
    Expression result = visit(next);
    for (int i = operators.size() - 1; i >= 0; i--) {
      result = new Expression.Binary(operators.get(i), result, visit(rights.get(i)));
    }
    return result;
  }

  @Override
  public Expression visitBitwise(FilterGrammarParser.BitwiseContext context) {
    if (openCalls == 0) {
      throw errors.at(
          context.operator, "The operator " + context.operator.getText() + " is not supported");
    }
    return new Expression.Binary(
        operator(context.operator, "it is not supported"),
        visit(context.left),
        visit(context.right));
  }

  @Override
  public Expression visitLiteralValue(FilterGrammarParser.LiteralValueContext context) {
    FilterGrammarParser.LiteralContext literal = context.literal();
    String text = literal.getText();
    if (literal.STRING() != null) {
      return new Expression.Literal(Text.unquote(text));
    } else if (literal.NUMBER() != null) {
      return new Expression.Literal(Text.number(text, openCalls > 0));
    } else if (literal.BINARY() != null) {
      return new Expression.Literal(Text.hexadecimal(text.substring(2, text.length() - 1)));
    } else if (literal.HEXADECIMAL() != null) {
      return new Expression.Literal(Text.hexadecimal(text.substring(2)));
    }
    return new Expression.Literal(literal.NULL() != null ? null : literal.TRUE() != null);
  }

  @Override
  public Expression visitTypedLiteral(FilterGrammarParser.TypedLiteralContext context) {
    return new Expression.Cast(
        new Expression.Literal(Text.unquote(context.STRING().getText())),
        typeName(context.typeName()),
        false);
  }

  @Override
  public Expression visitInterval(FilterGrammarParser.IntervalContext context) {
    requireNested(context, "INTERVAL");
    String amount =
        context.STRING() != null
            ? Text.unquote(context.STRING().getText())
            : context.NUMBER().getText();
    String text = context.unit == null ? amount : amount + " " + context.unit.getText();
    try {
      return Intervals.parse(text);
    } catch (InvalidInputException | ArithmeticException e) {
      throw errors.at(context.getStart(), "Not an interval: '" + text + "'");
    }
  }

  @Override
  public Expression visitCaseExpression(FilterGrammarParser.CaseExpressionContext context) {
    requireNested(context, "CASE");
    List<Expression.Case.When> branches = new ArrayList<>();
    for (FilterGrammarParser.WhenClauseContext branch : context.whenClause()) {
      branches.add(new Expression.Case.When(visit(branch.condition), visit(branch.result)));
    }
    return new Expression.Case(
        Optional.ofNullable(context.operand).map(this::visit),
        branches,
        Optional.ofNullable(context.otherwise).map(this::visit));
  }

  @Override
  public Expression visitCast(FilterGrammarParser.CastContext context) {
    return new Expression.Cast(
        visit(context.booleanExpression()), typeName(context.typeName()), context.CAST() == null);
  }

  @Override
  public Expression visitCastOperator(FilterGrammarParser.CastOperatorContext context) {
    return new Expression.Cast(
        visit(context.primaryExpression()), typeName(context.typeName()), false);
  }

  private static String typeName(FilterGrammarParser.TypeNameContext context) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < context.getChildCount(); i++) {
      String part = context.getChild(i).getText().toLowerCase(Locale.ROOT);
      boolean word = Character.isLetterOrDigit(part.charAt(0));
      boolean afterWord =
          !text.isEmpty() && Character.isLetterOrDigit(text.charAt(text.length() - 1));
      text.append(word && (afterWord || endsWith(text, ')')) ? " " : "").append(part);
    }
    return text.toString();
  }

  private static boolean endsWith(CharSequence text, char last) {
    return !text.isEmpty() && text.charAt(text.length() - 1) == last;
  }

  @Override
  public Expression visitSubQuery(FilterGrammarParser.SubQueryContext context) {
    throw errors.at(context.getStart(), "Sub-queries are not supported in filters");
  }

  @Override
  public Expression visitPlaceholder(FilterGrammarParser.PlaceholderContext context) {
    throw errors.at(
        context.getStart(), "Placeholders are not supported (use Literals.of to write a value)");
  }

  @Override
  public Expression visitCall(FilterGrammarParser.CallContext context) {
    String name = Text.identifier(context.identifier().getText());
    String function = name.toLowerCase(Locale.ROOT);
    if (QUANTIFIERS.contains(function)) {
      throw errors.at(context.getStart(), name + "(…) is not supported (use array_has)");
    }
    if (ONLY_NESTED_FUNCTIONS.contains(function)) {
      requireNested(context, name + "(…)");
    }
    // is_valid(x) is another way to write x IS NOT NULL.
    int entered = function.equals("is_valid") ? 0 : 1;
    openCalls += entered;
    try {
      return call(context, name, function);
    } finally {
      openCalls -= entered;
    }
  }

  private Expression call(FilterGrammarParser.CallContext context, String name, String function) {
    FilterGrammarParser.ArgumentsContext arguments = context.arguments();
    List<Expression> values =
        arguments == null ? List.of() : visitArguments(function, arguments.booleanExpression());
    boolean keywords = arguments != null && arguments.FROM() != null;
    if (function.equals("extract")) {
      if (!keywords || values.size() != 2) {
        throw errors.at(context.getStart(), "Expected extract(field FROM value)");
      }
      Expression field = new Expression.Literal(fieldName(values.get(0)));
      return new Expression.Call("date_part", List.of(field, values.get(1)));
    } else if (function.equals("trim")) {
      return new Expression.Call(trimFunction(context.trimSide), trimmed(keywords, values));
    } else if (context.trimSide != null || (keywords && !function.startsWith("substr"))) {
      throw errors.at(context.getStart(), "Unexpected keyword in the arguments of " + name);
    }
    return new Expression.Call(name, values);
  }

  private List<Expression> visitArguments(
      String function, List<FilterGrammarParser.BooleanExpressionContext> arguments) {
    if (function.equals("position") && arguments.size() == 1) {
      if (arguments.get(0) instanceof FilterGrammarParser.PredicatedContext predicated
          && predicated.predicate().size() == 1
          && predicated.predicate(0) instanceof FilterGrammarParser.MembershipContext in) {
        return List.of(visit(in.primaryExpression()), visit(predicated.valueExpression()));
      }
    }
    return visitAll(arguments);
  }

  private static String trimFunction(Token side) {
    if (side == null || side.getType() == FilterGrammarLexer.BOTH) {
      return "btrim";
    }
    return side.getType() == FilterGrammarLexer.LEADING ? "ltrim" : "rtrim";
  }

  private static List<Expression> trimmed(boolean keywords, List<Expression> values) {
    return keywords ? List.of(values.get(1), values.get(0)) : values;
  }

  private static String fieldName(Expression field) {
    return field instanceof Expression.Column column
        ? column.path().get(0)
        : field instanceof Expression.Literal literal ? String.valueOf(literal.value()) : "";
  }

  @Override
  public Expression visitArray(FilterGrammarParser.ArrayContext context) {
    List<Expression> items = new ArrayList<>();
    for (FilterGrammarParser.ValueExpressionContext item : context.valueExpression()) {
      Expression value = visit(item);
      if (!(value instanceof Expression.Literal)) {
        if (openCalls > 0) {
          return new Expression.Call("make_array", visitAll(context.valueExpression()));
        }
        throw errors.at(item.getStart(), "A list literal may hold constants only");
      }
      items.add(value);
    }
    return new Expression.ListLiteral(items);
  }

  @Override
  public Expression visitParenthesized(FilterGrammarParser.ParenthesizedContext context) {
    if (context.booleanExpression().size() > 1) {
      throw errors.at(context.getStart(), "Tuples are not supported");
    }
    return visit(context.booleanExpression(0));
  }

  @Override
  public Expression visitColumn(FilterGrammarParser.ColumnContext context) {
    String text = context.identifier().getText();
    if (CLOCK.contains(text.toLowerCase(Locale.ROOT))) {
      return new Expression.Call(text, List.of());
    }
    return new Expression.Column(
        List.of(Text.identifier(text)), text.startsWith("`") || openCalls > 0);
  }

  @Override
  public Expression visitFieldAccess(FilterGrammarParser.FieldAccessContext context) {
    Expression operand = visit(context.primaryExpression());
    String field = Text.identifier(context.identifier().getText());
    if (operand instanceof Expression.Column column) {
      List<String> path = new ArrayList<>(column.path());
      path.add(field);
      return new Expression.Column(path, openCalls > 0);
    }
    return new Expression.Subscript(operand, new Expression.Literal(field));
  }

  @Override
  public Expression visitSubscript(FilterGrammarParser.SubscriptContext context) {
    return new Expression.Subscript(
        visit(context.primaryExpression()), visit(context.valueExpression()));
  }

  private List<Expression> visitAll(List<? extends ParserRuleContext> contexts) {
    return contexts.stream().map(this::visit).collect(Collectors.toUnmodifiableList());
  }

  private void requireNested(ParserRuleContext context, String what) {
    if (openCalls == 0) {
      throw errors.at(
          context.getStart(),
          what + " is supported only inside the arguments of a function, as in coalesce(…)");
    }
  }
}
