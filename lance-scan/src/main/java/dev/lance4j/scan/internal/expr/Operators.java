package dev.lance4j.scan.internal.expr;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.BinaryOperator;
import dev.lance4j.scan.internal.expr.eval.Arithmetic;
import dev.lance4j.scan.internal.expr.eval.CastNode;
import dev.lance4j.scan.internal.expr.eval.Comparison;
import dev.lance4j.scan.internal.expr.eval.Connective;
import dev.lance4j.scan.internal.expr.eval.Constant;
import dev.lance4j.scan.internal.expr.eval.LikeNode;
import dev.lance4j.scan.internal.expr.eval.Membership;
import dev.lance4j.scan.internal.expr.eval.Negated;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.eval.Nodes;
import dev.lance4j.scan.internal.expr.function.Arguments;
import dev.lance4j.scan.internal.expr.function.Functions;
import dev.lance4j.scan.internal.expr.function.TemporalOperators;
import dev.lance4j.scan.internal.expr.function.TextConcat;
import dev.lance4j.scan.internal.expr.type.Coercion;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.BytesValues;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Makes the nodes of operators: finds the common type of the operands and converts them. */
final class Operators {

  /** The node of an operator between two operands. */
  Node binary(BinaryOperator operator, Node left, Node right) {
    return Nodes.fold(make(operator, left, right));
  }

  private Node make(BinaryOperator operator, Node left, Node right) {
    if (operator.isComparison()) {
      return compare(operator, left, right);
    }
    return switch (operator) {
      case CONCAT -> concat(left, right);
      case MATCHES -> matches(left, right, false);
      case MATCHES_IGNORE_CASE -> matches(left, right, true);
      case NOT_MATCHES -> new Negated(matches(left, right, false));
      case NOT_MATCHES_IGNORE_CASE -> new Negated(matches(left, right, true));
      default -> arithmetic(operator, left, right);
    };
  }

  private static Node compare(BinaryOperator operator, Node left, Node right) {
    Type type = Coercion.comparison(left.type(), right.type());
    if (type == null) {
      throw mismatch(operator, left, right);
    }
    if (operator.compareTo(BinaryOperator.DISTINCT) < 0 && (isNull(left) || isNull(right))) {
      return Constant.nullOf(Type.BOOLEAN);
    }
    Node l = convert(left, type);
    Node r = convert(right, type);
    if (l instanceof Constant && !(r instanceof Constant)) {
      return compareUnwrapped(mirrored(operator), r, l);
    }
    return compareUnwrapped(operator, l, r);
  }

  private static Node compareUnwrapped(BinaryOperator operator, Node left, Node right) {
    if (right instanceof Constant constant && !constant.isNull()) {
      List<Constant> constants = List.of(constant);
      Unwrapped unwrapped = unwrap(left, constants);
      return new Comparison(operator, unwrapped.operand(), unwrapped.constants().get(0));
    }
    return new Comparison(operator, left, right);
  }

  /** Whether the node is null for every row, so that the rest need not be computed. */
  private static boolean isNull(Node node) {
    return node instanceof Constant constant && constant.isNull();
  }

  private record Unwrapped(Node operand, List<Constant> constants) {}

  /**
   * Converts constants instead of the column that they are compared with, as far as they have the
   * same value in the column's type: the column's values need no conversion then, and cannot fail
   * in it.
   */
  private static Unwrapped unwrap(Node operand, List<Constant> constants) {
    Unwrapped best = new Unwrapped(operand, constants);
    Node inner = operand;
    while (inner instanceof CastNode cast) {
      inner = cast.operand();
      List<Constant> converted = new ArrayList<>();
      for (Constant constant : constants) {
        Constant same =
            constant.isNull()
                ? Constant.nullOf(inner.type())
                : convertExactly(constant, inner.type());
        if (same != null) {
          converted.add(same);
        }
      }
      if (converted.size() == constants.size()) {
        best = new Unwrapped(inner, converted);
      }
    }
    return best;
  }

  private static Constant convertExactly(Constant constant, Type type) {
    Constant timestamp = LiteralResolution.timestamp(constant, type);
    return timestamp != null ? timestamp : LiteralResolution.lossless(constant, type);
  }

  private static BinaryOperator mirrored(BinaryOperator operator) {
    return switch (operator) {
      case LESS -> BinaryOperator.GREATER;
      case LESS_OR_EQUAL -> BinaryOperator.GREATER_OR_EQUAL;
      case GREATER -> BinaryOperator.LESS;
      case GREATER_OR_EQUAL -> BinaryOperator.LESS_OR_EQUAL;
      default -> operator;
    };
  }

  private static InvalidInputException mismatch(BinaryOperator operator, Node left, Node right) {
    return new InvalidInputException(
        "The operator "
            + operator.symbol()
            + " does not apply to "
            + left.type()
            + " and "
            + right.type()
            + "; convert one side with cast");
  }

  /** The node in the type, where a dictionary's values are as good as the dictionary. */
  private static Node convert(Node node, Type type) {
    return node.type().decoded().equals(type) ? node : Nodes.cast(node, type, false);
  }

  Node between(Node operand, Node low, Node high) {
    return Nodes.fold(
        new Connective(
            true,
            List.of(
                compare(BinaryOperator.GREATER_OR_EQUAL, operand, low),
                compare(BinaryOperator.LESS_OR_EQUAL, operand, high))));
  }

  Node in(Node operand, List<Node> items) {
    Type type = operand.type().decoded();
    for (Node item : items) {
      Type common = Coercion.comparison(type, item.type());
      if (common == null) {
        throw new InvalidInputException(
            "IN does not apply to " + type + " and " + item.type() + "; convert with cast");
      }
      type = common;
    }
    Node value = convert(operand, type);
    List<Constant> constants = new ArrayList<>();
    List<Node> others = new ArrayList<>();
    for (Node item : items) {
      Node converted = convert(item, type);
      if (converted instanceof Constant constant) {
        constants.add(constant);
      } else {
        others.add(new Comparison(BinaryOperator.EQUAL, value, converted));
      }
    }
    if (!constants.isEmpty()) {
      Unwrapped unwrapped = unwrap(value, constants);
      others.add(0, new Membership(unwrapped.operand(), unwrapped.constants()));
    }
    return Nodes.fold(others.size() == 1 ? others.get(0) : new Connective(false, others));
  }

  /** A pattern without wildcards is an equality, and % is any value: both know more than texts. */
  Node like(Node operand, Node pattern, boolean ignoreCase) {
    Kind kind = operand.type().decoded().kind();
    Kind patternKind = pattern.type().decoded().kind();
    if (!kind.isString() && !ignoreCase && isText(pattern)) {
      String text = ((BytesValues) ((Constant) pattern).value()).string(0);
      if (text.equals("%")) {
        return binary(BinaryOperator.EQUAL, operand, operand);
      } else if (text.chars().noneMatch(c -> c == '%' || c == '_' || c == '\\')) {
        return binary(BinaryOperator.EQUAL, operand, pattern);
      }
    }
    boolean textual = kind.isString() || kind.isBinary() || kind == Kind.NULL;
    if (!textual || (!patternKind.isString() && patternKind != Kind.NULL)) {
      throw new InvalidInputException(
          "LIKE does not apply to "
              + operand.type()
              + " and "
              + pattern.type()
              + "; it compares strings (convert with cast)");
    }
    return Nodes.fold(
        new LikeNode(convert(operand, Type.UTF8), convert(pattern, Type.UTF8), ignoreCase));
  }

  private static boolean isText(Node pattern) {
    return pattern instanceof Constant constant
        && !constant.isNull()
        && pattern.type().kind().isString();
  }

  private static Node concat(Node left, Node right) {
    Type l = left.type().decoded();
    Type r = right.type().decoded();
    if (l.kind().isList() || r.kind().isList()) {
      String function =
          !r.kind().isList()
              ? "array_append"
              : !l.kind().isList() ? "array_prepend" : "array_concat";
      return Functions.bind(new Arguments(function, List.of(left, right), Instant.EPOCH));
    }
    boolean text = l.kind().isString() || r.kind().isString();
    if (!text && !(l.is(Kind.NULL) && r.is(Kind.NULL))) {
      throw mismatch(BinaryOperator.CONCAT, left, right);
    }
    boolean large = l.is(Kind.LARGE_UTF8) || r.is(Kind.LARGE_UTF8);
    Type type = large ? Type.LARGE_UTF8 : Type.UTF8;
    return TextConcat.of(convert(left, type), convert(right, type), type);
  }

  private static Node matches(Node left, Node right, boolean ignoreCase) {
    List<Node> arguments = new ArrayList<>(List.of(left, right));
    if (ignoreCase) {
      arguments.add(Constant.of("i"));
    }
    return Functions.bind(new Arguments("regexp_like", arguments, Instant.EPOCH));
  }

  private static Node arithmetic(BinaryOperator operator, Node left, Node right) {
    Node temporal = TemporalOperators.bind(operator, left, right);
    if (temporal != null) {
      return temporal;
    }
    Coercion.Arithmetic types =
        Coercion.arithmetic(operator, left.type().decoded(), right.type().decoded());
    boolean bitwise = operator.compareTo(BinaryOperator.BIT_AND) >= 0;
    boolean tooFine = types != null && types.result().scale() > types.result().width();
    if (types == null || tooFine || (bitwise && !types.result().kind().isInteger())) {
      throw mismatch(operator, left, right);
    }
    if (isNull(left) || isNull(right)) {
      return Constant.nullOf(types.result());
    }
    return new Arithmetic(
        operator, convert(left, types.left()), convert(right, types.right()), types.result());
  }

  /** Whether a literal of one type may stand in a list literal of the other. */
  static boolean sameFamily(Type left, Type right) {
    return left.kind().isNumeric() && right.kind().isNumeric();
  }
}
