package dev.lance4j.scan.internal.expr;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.BinaryOperator;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.expr.eval.CaseNode;
import dev.lance4j.scan.internal.expr.eval.ColumnNode;
import dev.lance4j.scan.internal.expr.eval.Connective;
import dev.lance4j.scan.internal.expr.eval.Constant;
import dev.lance4j.scan.internal.expr.eval.ElementNode;
import dev.lance4j.scan.internal.expr.eval.FieldNode;
import dev.lance4j.scan.internal.expr.eval.IsTest;
import dev.lance4j.scan.internal.expr.eval.Negated;
import dev.lance4j.scan.internal.expr.eval.Negation;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.eval.Nodes;
import dev.lance4j.scan.internal.expr.function.Arguments;
import dev.lance4j.scan.internal.expr.function.Functions;
import dev.lance4j.scan.internal.expr.parse.ExpressionParser;
import dev.lance4j.scan.internal.expr.type.Coercion;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.SqlTypes;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.BytesValues;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Schema;

/** Turns the tree of an expression into nodes with types, against a schema. */
public final class Binder {
  private final Columns columns;
  private final Operators operators = new Operators();
  private final Instant now = Instant.now();
  private int depth;
  private int openCalls;

  public Binder(Schema schema) {
    columns = new Columns(schema);
  }

  /** The columns used by what was bound so far, in the order of the nodes' indices. */
  public List<List<String>> usedColumns() {
    return columns.used();
  }

  /**
   * Binds a filter.
   *
   * @throws InvalidInputException if it is not boolean, or cannot be bound
   */
  public Node bindFilter(Expression filter) {
    Node node = bindValue(RegexpMatches.asBoolean(filter));
    if (!node.type().is(Kind.BOOLEAN)) {
      throw new InvalidInputException(
          "The filter is not a condition: " + shortened(filter) + " is of type " + node.type());
    }
    return node;
  }

  /** Binds a value of any type; literals beside columns take the columns' types. */
  public Node bindValue(Expression expression) {
    if (expression instanceof Expression.And and) {
      return connective(true, bindAll(and.operands(), true));
    } else if (expression instanceof Expression.Or or) {
      return connective(false, bindAll(or.operands(), true));
    } else if (expression instanceof Expression.Binary binary) {
      return bindResolved(binary);
    } else if (expression instanceof Expression.Between between) {
      Type type = columnType(between.operand());
      return type == null
          ? bind(between)
          : between(
              between,
              bind(between.operand()),
              bindLiteral(between.low(), type, between.operand()),
              bindLiteral(between.high(), type, between.operand()));
    } else if (expression instanceof Expression.In in
        && in.operand() instanceof Expression.Column column
        && column.path().size() == 1) {
      Type type = columnType(column);
      List<Node> items = new ArrayList<>();
      for (Expression item : in.items()) {
        items.add(bindLiteral(item, type, column));
      }
      return negate(operators.in(bind(column), items), in.negated());
    }
    return bind(expression);
  }

  private List<Node> bindAll(List<Expression> expressions, boolean resolve) {
    List<Node> nodes = new ArrayList<>();
    for (Expression expression : expressions) {
      nodes.add(resolve ? nested(() -> bindValue(expression)) : bind(expression));
    }
    return nodes;
  }

  private Node bindResolved(Expression.Binary binary) {
    if (binary.operator() == BinaryOperator.CONCAT) {
      // A text beside a column of another type is not meant to be of that type here.
      return bind(binary);
    }
    Expression left = binary.left();
    Expression right = binary.right();
    Type leftType = columnType(left);
    if (leftType != null && (isLiteral(right) || isBinary(right))) {
      return operators.binary(binary.operator(), bind(left), bindLiteral(right, leftType, left));
    }
    Type rightType = leftType == null ? columnType(right) : null;
    if (rightType != null && isLiteral(left)) {
      return operators.binary(binary.operator(), bindLiteral(left, rightType, right), bind(right));
    }
    return bind(binary);
  }

  private static boolean isLiteral(Expression expression) {
    return expression instanceof Expression.Literal || expression instanceof Expression.ListLiteral;
  }

  private static boolean isBinary(Expression expression) {
    return expression instanceof Expression.Binary
        || expression instanceof Expression.And
        || expression instanceof Expression.Or;
  }

  /** The literals of an expression, looking through operators, as constants of a column's type. */
  private Node bindLiteral(Expression expression, Type type, Expression column) {
    if (isLiteral(expression)) {
      return LiteralResolution.resolve((Constant) bind(expression), type, column.toString());
    } else if (expression instanceof Expression.Binary binary) {
      return nested(
          () ->
              operators.binary(
                  binary.operator(),
                  bindLiteral(binary.left(), type, column),
                  bindLiteral(binary.right(), type, column)));
    } else if (expression instanceof Expression.And and) {
      return connective(true, bindLiterals(and.operands(), type, column));
    } else if (expression instanceof Expression.Or or) {
      return connective(false, bindLiterals(or.operands(), type, column));
    }
    return bind(expression);
  }

  private List<Node> bindLiterals(List<Expression> expressions, Type type, Expression column) {
    List<Node> nodes = new ArrayList<>();
    for (Expression expression : expressions) {
      nodes.add(nested(() -> bindLiteral(expression, type, column)));
    }
    return nodes;
  }

  /** The type if the expression is a column or a field of struct columns; else null. */
  private Type columnType(Expression expression) {
    Optional<Expression.Column> column = asColumn(expression);
    return column.isPresent() ? columns.find(column.get()).type() : null;
  }

  /** A column with subscripts of constant names is a field. */
  private static Optional<Expression.Column> asColumn(Expression expression) {
    Deque<String> fields = new ArrayDeque<>();
    Expression inner = expression;
    while (inner instanceof Expression.Subscript subscript
        && subscript.key() instanceof Expression.Literal literal
        && literal.value() instanceof String field) {
      fields.addFirst(field);
      inner = subscript.operand();
    }
    if (!(inner instanceof Expression.Column column)) {
      return Optional.empty();
    }
    List<String> path = new ArrayList<>(column.path());
    path.addAll(fields);
    return Optional.of(new Expression.Column(path, column.exact()));
  }

  private interface Binding {
    Node bind();
  }

  private Node nested(Binding binding) {
    if (++depth > ExpressionParser.MAX_NESTING) {
      throw new InvalidInputException(
          "The expression is nested more than "
              + ExpressionParser.MAX_NESTING
              + " levels deep; use flat AND / OR / IN instead");
    }
    try {
      return binding.bind();
    } finally {
      depth--;
    }
  }

  private Node bind(Expression expression) {
    return nested(() -> Nodes.fold(bindNode(expression)));
  }

  private Node bindNode(Expression expression) {
    if (expression instanceof Expression.Literal literal) {
      return Constant.of(literal.value());
    } else if (expression instanceof Expression.Column column) {
      return column(column);
    } else if (expression instanceof Expression.ListLiteral list) {
      return list(list);
    } else if (expression instanceof Expression.IntervalLiteral interval) {
      return interval(interval);
    } else if (expression instanceof Expression.And and) {
      return connective(true, bindAll(and.operands(), false));
    } else if (expression instanceof Expression.Or or) {
      return connective(false, bindAll(or.operands(), false));
    } else if (expression instanceof Expression.Not not) {
      return negate(condition(bind(not.operand()), "NOT"), true);
    } else if (expression instanceof Expression.Binary binary) {
      return operators.binary(binary.operator(), bind(binary.left()), bind(binary.right()));
    } else if (expression instanceof Expression.Negation negation) {
      return negation(bind(negation.operand()));
    } else if (expression instanceof Expression.Is is) {
      return is(is);
    }
    return bindOther(expression);
  }

  private Node bindOther(Expression expression) {
    if (expression instanceof Expression.In in) {
      return negate(operators.in(bind(in.operand()), bindAll(in.items(), false)), in.negated());
    } else if (expression instanceof Expression.Between between) {
      return between(between, bind(between.operand()), bind(between.low()), bind(between.high()));
    } else if (expression instanceof Expression.Like like) {
      Node node = operators.like(bind(like.operand()), bind(like.pattern()), like.ignoreCase());
      return negate(node, like.negated());
    } else if (expression instanceof Expression.Cast cast) {
      return Nodes.cast(bind(cast.operand()), SqlTypes.of(cast.type(), openCalls > 0), cast.safe());
    } else if (expression instanceof Expression.Case choice) {
      return choice(choice);
    } else if (expression instanceof Expression.Subscript subscript) {
      return subscript(subscript);
    }
    return call((Expression.Call) expression);
  }

  private Node column(Expression.Column column) {
    Columns.Found found = columns.find(column);
    return new ColumnNode(found.type(), columns.use(found), found.nullable());
  }

  private Node list(Expression.ListLiteral list) {
    List<Constant> items = new ArrayList<>();
    for (Expression item : list.items()) {
      items.add((Constant) bind(item));
    }
    Type type =
        items.stream()
            .map(Node::type)
            .filter(itemType -> !itemType.is(Kind.NULL))
            .findFirst()
            .orElse(Type.NULL);
    ValuesBuilder builder = new ValuesBuilder(Type.list(type));
    for (Constant item : items) {
      if (!item.isNull() && !item.type().equals(type) && !Operators.sameFamily(item.type(), type)) {
        throw new InvalidInputException(
            "The items of a list literal need one type; got " + type + " and " + item.type());
      }
      builder.items().append(((Constant) Nodes.cast(item, type, false)).value(), 0);
    }
    builder.appendList(0);
    return new Constant(Type.list(type), builder.build());
  }

  private static Node interval(Expression.IntervalLiteral interval) {
    ValuesBuilder builder = new ValuesBuilder(Type.INTERVAL);
    builder.appendInterval(interval.months(), interval.days(), interval.nanos());
    return new Constant(Type.INTERVAL, builder.build());
  }

  private Node connective(boolean and, List<Node> operands) {
    List<Node> conditions = new ArrayList<>();
    for (Node operand : operands) {
      conditions.add(condition(operand, and ? "AND" : "OR"));
    }
    List<Node> merged = and ? conditions : Equalities.merge(conditions);
    return merged.size() == 1 ? merged.get(0) : Nodes.fold(new Connective(and, merged));
  }

  private static Node condition(Node node, String operator) {
    if (node.type().is(Kind.BOOLEAN) || node.type().is(Kind.NULL)) {
      return Nodes.cast(node, Type.BOOLEAN, false);
    }
    throw new InvalidInputException(
        operator + " needs conditions, but an operand is of type " + node.type());
  }

  private static Node negate(Node node, boolean negated) {
    return negated ? Nodes.fold(new Negated(node)) : node;
  }

  private static Node negation(Node operand) {
    Kind kind = operand.type().kind();
    if (kind == Kind.NULL) {
      return operand;
    }
    boolean number = kind.isSigned() || kind.isFloat() || kind.isDecimal();
    if (!number) {
      throw new InvalidInputException("- needs a signed number, but got " + operand.type());
    }
    return new Negation(operand);
  }

  private Node is(Expression.Is is) {
    Node operand = bind(is.operand());
    boolean truth = is.test() != Expression.Is.Test.NULL;
    return new IsTest(
        truth ? condition(operand, "IS " + is.test()) : operand, is.test(), is.negated());
  }

  private Node between(Expression.Between between, Node operand, Node low, Node high) {
    return negate(operators.between(operand, low, high), between.negated());
  }

  private Node choice(Expression.Case choice) {
    List<Node> conditions = new ArrayList<>();
    List<Node> results = new ArrayList<>();
    for (Expression.Case.When branch : choice.branches()) {
      conditions.add(caseCondition(choice, branch.condition()));
      results.add(bind(branch.result()));
    }
    results.add(
        choice.otherwise().isPresent() ? bind(choice.otherwise().get()) : Constant.of(null));
    Type type = Coercion.union(results.stream().map(Node::type).toList());
    if (type == null) {
      throw new InvalidInputException(
          "The branches of CASE have no common type: " + results.stream().map(Node::type).toList());
    }
    return new CaseNode(
        conditions, results.stream().map(result -> Nodes.cast(result, type, false)).toList());
  }

  private Node caseCondition(Expression.Case choice, Expression condition) {
    return choice.operand().isPresent()
        ? operators.binary(BinaryOperator.EQUAL, bind(choice.operand().get()), bind(condition))
        : condition(bind(condition), "WHEN");
  }

  private Node subscript(Expression.Subscript subscript) {
    Optional<Expression.Column> column = asColumn(subscript);
    if (column.isPresent() && columns.isField(column.get())) {
      return column(column.get());
    }
    return element(bind(subscript.operand()), bind(subscript.key()));
  }

  /** A field, an item or the value of a key. */
  static Node element(Node container, Node key) {
    Type type = container.type();
    if (type.is(Kind.STRUCT)) {
      if (!(key instanceof Constant constant) || !key.type().kind().isString()) {
        throw new InvalidInputException("A field of a struct is chosen by a constant name");
      }
      String name = ((BytesValues) constant.value()).string(0);
      return new FieldNode(container, Columns.fieldIndex(type, name));
    } else if (type.kind().isList()
        && (key.type().kind().isInteger() || key.type().is(Kind.NULL))) {
      return new ElementNode(container, Nodes.cast(key, Type.INT64, false));
    } else if (type.is(Kind.MAP)) {
      return new ElementNode(container, Nodes.cast(key, type.children().get(0).type(), false));
    }
    throw new InvalidInputException(
        "A value of type " + type + " has no element of type " + key.type());
  }

  private Node call(Expression.Call call) {
    if (call.function().equalsIgnoreCase("is_valid") && call.arguments().size() == 1) {
      return new IsTest(bind(call.arguments().get(0)), Expression.Is.Test.NULL, true);
    }
    openCalls++;
    try {
      return Functions.bind(new Arguments(call.function(), bindAll(call.arguments(), false), now));
    } finally {
      openCalls--;
    }
  }

  private static String shortened(Expression expression) {
    String text = expression.toString();
    return text.length() <= 200 ? text : text.substring(0, 200) + "…";
  }
}
