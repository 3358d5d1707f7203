package dev.lance4j.scan.internal.lookup;

import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.ScalarValue;
import dev.lance4j.index.internal.scalar.Support;
import dev.lance4j.scan.expr.BinaryOperator;
import dev.lance4j.scan.expr.Expression.Is;
import dev.lance4j.scan.internal.expr.Condition;
import dev.lance4j.scan.internal.expr.eval.CastNode;
import dev.lance4j.scan.internal.expr.eval.ColumnNode;
import dev.lance4j.scan.internal.expr.eval.Comparison;
import dev.lance4j.scan.internal.expr.eval.Connective;
import dev.lance4j.scan.internal.expr.eval.Constant;
import dev.lance4j.scan.internal.expr.eval.IsTest;
import dev.lance4j.scan.internal.expr.eval.LikeNode;
import dev.lance4j.scan.internal.expr.eval.Membership;
import dev.lance4j.scan.internal.expr.eval.Negated;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.function.RowFunction;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.BytesValues;
import dev.lance4j.scan.internal.expr.values.ListValues;
import dev.lance4j.scan.internal.expr.values.Values;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Finds the queries by which indices answer conditions. Works on conditions that are bound: their
 * constants have the types of the columns that they are compared with, without having lost
 * anything, or else the column is converted and no index can help.
 */
final class IndexQueries {
  private final Condition condition;
  private final List<FilterIndex> indices;
  private final BufferAllocator allocator;

  /**
   * @param condition whose nodes are asked for
   * @param indices the first of those that know as much about something is asked
   */
  IndexQueries(Condition condition, List<FilterIndex> indices, BufferAllocator allocator) {
    this.condition = condition;
    this.indices = indices;
    this.allocator = allocator;
  }

  /** The query for a part of the condition; none if indices do not know which rows to leave out. */
  Optional<IndexQuery> of(Node node) {
    if (node instanceof Connective connective) {
      return connective.isAnd() ? all(connective.children()) : any(connective.children());
    } else if (node instanceof Negated) {
      return not(of(node.children().get(0)));
    } else if (node instanceof Comparison comparison) {
      return comparison(comparison);
    } else if (node instanceof Membership membership) {
      return membership(membership);
    } else if (node instanceof IsTest test) {
      return test(test);
    } else if (node instanceof ColumnNode column) {
      return column.type().equals(Type.BOOLEAN)
          ? equal(column, Constant.of(true).value())
          : Optional.empty();
    } else if (node instanceof LikeNode like) {
      return like(like);
    }
    return node instanceof RowFunction function ? call(function) : Optional.empty();
  }

  private Optional<IndexQuery> all(List<Node> operands) {
    List<IndexQuery> known = new ArrayList<>();
    for (Node operand : operands) {
      of(operand).ifPresent(known::add);
    }
    return known.isEmpty()
        ? Optional.empty()
        : Optional.of(all(known, known.size() == operands.size()));
  }

  /**
   * Some conditions at once, with the ranges of a column in one.
   *
   * @param complete whether there is no other condition
   */
  static IndexQuery all(List<IndexQuery> parts, boolean complete) {
    List<IndexQuery> merged = Ranges.merge(parts);
    boolean exact = complete && merged.stream().allMatch(IndexQuery::isExact);
    return merged.size() == 1 && merged.get(0).isExact() == exact
        ? merged.get(0)
        : new IndexQuery.All(merged, exact);
  }

  private Optional<IndexQuery> any(List<Node> operands) {
    List<IndexQuery> known = new ArrayList<>();
    for (Node operand : operands) {
      Optional<IndexQuery> query = of(operand);
      if (query.isEmpty()) {
        return query;
      }
      known.add(query.get());
    }
    return Optional.of(new IndexQuery.Any(known));
  }

  private static Optional<IndexQuery> not(Optional<IndexQuery> query) {
    return query.filter(IndexQuery::isExact).map(IndexQuery.Not::new);
  }

  private Optional<IndexQuery> comparison(Comparison comparison) {
    Node operand = comparison.children().get(0);
    if (!(operand instanceof ColumnNode column)
        || !(comparison.children().get(1) instanceof Constant constant)
        || constant.isNull()) {
      return Optional.empty();
    }
    Values value = constant.value();
    return switch (comparison.operator()) {
      case EQUAL -> equal(column, value);
      case NOT_EQUAL -> not(equal(column, value));
      case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL ->
          range(column, comparison.operator(), value);
      default -> Optional.empty();
    };
  }

  private Optional<IndexQuery> equal(ColumnNode column, Values value) {
    return values(column, value)
        .flatMap(values -> leaf(column, new ScalarQuery.Equals(values.get(0)), false));
  }

  private Optional<IndexQuery> range(ColumnNode column, BinaryOperator operator, Values value) {
    boolean inclusive =
        operator == BinaryOperator.LESS_OR_EQUAL || operator == BinaryOperator.GREATER_OR_EQUAL;
    boolean isUpper = operator == BinaryOperator.LESS || operator == BinaryOperator.LESS_OR_EQUAL;
    return values(column, value)
        .flatMap(
            values -> {
              Optional<ScalarQuery.Bound> end =
                  Optional.of(new ScalarQuery.Bound(values.get(0), inclusive));
              Optional<ScalarQuery.Bound> open = Optional.empty();
              return leaf(
                  column, new ScalarQuery.Range(isUpper ? open : end, isUpper ? end : open), false);
            });
  }

  private Optional<IndexQuery> membership(Membership membership) {
    if (!(membership.children().get(0) instanceof ColumnNode column)
        || membership.hasNullMember()
        || !isIndexed(column)) {
      return Optional.empty();
    }
    ValuesBuilder builder = new ValuesBuilder(column.type().decoded());
    membership.members().forEach(member -> builder.append(member, 0));
    return values(column, builder.build())
        .flatMap(values -> leaf(column, new ScalarQuery.In(values), false));
  }

  private Optional<IndexQuery> test(IsTest test) {
    Optional<IndexQuery> query = test(test.test(), test.children().get(0));
    return test.isNegated() ? not(query) : query;
  }

  private Optional<IndexQuery> test(Is.Test test, Node operand) {
    return switch (test) {
      case TRUE -> of(operand).map(IndexQuery.IsTrue::new);
      case FALSE -> not(of(operand)).map(IndexQuery.IsTrue::new);
      case NULL, UNKNOWN ->
          operand instanceof ColumnNode column
              ? leaf(column, new ScalarQuery.IsNull(), false)
              : Optional.empty();
    };
  }

  private Optional<IndexQuery> like(LikeNode like) {
    Optional<String> pattern = constantText(like.children().get(1));
    if (like.ignoresCase() || pattern.isEmpty()) {
      return Optional.empty();
    }
    return textColumn(like.children().get(0))
        .flatMap(column -> startsWith(column, TextPrefix.ofPattern(pattern.get())));
  }

  private static Optional<String> constantText(Node node) {
    return node instanceof Constant constant
            && !constant.isNull()
            && constant.value() instanceof BytesValues bytes
            && constant.type().kind().isString()
        ? Optional.of(bytes.string(0))
        : Optional.empty();
  }

  /** The column of texts that a node is, perhaps in another form of text. */
  private static Optional<ColumnNode> textColumn(Node node) {
    Node inner =
        node instanceof CastNode cast && cast.operand().type().kind().isString()
            ? cast.operand()
            : node;
    return inner instanceof ColumnNode column && column.type().kind().isString()
        ? Optional.of(column)
        : Optional.empty();
  }

  private Optional<IndexQuery> startsWith(ColumnNode column, TextPrefix prefix) {
    if (prefix.rest() == TextPrefix.Rest.NOTHING) {
      return equal(column, text(column, prefix.text()));
    } else if (prefix.text().isEmpty()) {
      return Optional.empty();
    }
    return values(column, text(column, prefix.text()))
        .flatMap(
            first -> {
              Optional<ScalarQuery.Bound> upper =
                  prefix
                      .successor()
                      .flatMap(next -> values(column, text(column, next)))
                      .map(next -> new ScalarQuery.Bound(next.get(0), false));
              ScalarQuery.Bound lower = new ScalarQuery.Bound(first.get(0), true);
              return leaf(
                  column,
                  new ScalarQuery.Range(Optional.of(lower), upper),
                  prefix.rest() == TextPrefix.Rest.PATTERN);
            });
  }

  private static Values text(ColumnNode column, String text) {
    ValuesBuilder builder = new ValuesBuilder(column.type());
    builder.append(text);
    return builder.build();
  }

  private Optional<IndexQuery> call(RowFunction function) {
    return switch (function.name()) {
      case "starts_with" ->
          constantText(function.children().get(1))
              .flatMap(
                  prefix ->
                      textColumn(function.children().get(0))
                          .flatMap(
                              column ->
                                  startsWith(
                                      column, new TextPrefix(prefix, TextPrefix.Rest.ANYTHING))));
      case "array_has", "array_has_any", "array_has_all" -> ofList(function);
      default -> Optional.empty();
    };
  }

  private Optional<IndexQuery> ofList(RowFunction function) {
    if (!(function.children().get(0) instanceof ColumnNode column)
        || !(function.children().get(1) instanceof Constant constant)
        || constant.isNull()
        || !isIndexed(column)) {
      return Optional.empty();
    }
    boolean single = function.name().equals("array_has");
    Values items = single ? constant.value() : items((ListValues) constant.value());
    Type type = column.type().item();
    if (!QueryValues.isAskable(type)) {
      return Optional.empty();
    }
    List<ScalarValue> values = QueryValues.of(type, items, allocator);
    boolean nullToo = values.size() < items.size();
    return leaf(
        column,
        function.name().equals("array_has_all")
            ? new ScalarQuery.HasAll(values, nullToo)
            : new ScalarQuery.HasAny(values, nullToo),
        false);
  }

  private static Values items(ListValues list) {
    return list.items().gather(IntStream.range(list.start(0), list.end(0)).toArray());
  }

  /** The values of the column's type, if an index may know them. */
  private Optional<List<ScalarValue>> values(ColumnNode column, Values constants) {
    Type type = column.type().decoded();
    return isIndexed(column) && QueryValues.isAskable(type)
        ? Optional.of(QueryValues.of(type, constants, allocator))
        : Optional.empty();
  }

  private boolean isIndexed(ColumnNode column) {
    List<String> path = condition.path(column);
    return indices.stream().anyMatch(index -> index.column().equals(path));
  }

  /**
   * Asks the index that knows most.
   *
   * @param loose whether the query is true for rows for which the condition is not
   */
  private Optional<IndexQuery> leaf(ColumnNode column, ScalarQuery query, boolean loose) {
    List<String> path = condition.path(column);
    FilterIndex best = null;
    Support most = Support.NONE;
    for (FilterIndex index : indices) {
      if (most != Support.EXACT && index.column().equals(path)) {
        Support support = index.support(query);
        if (support.compareTo(most) > 0) {
          most = support;
          best = index;
        }
      }
    }
    boolean exact = most == Support.EXACT && !loose;
    return best == null ? Optional.empty() : Optional.of(new IndexQuery.Leaf(best, query, exact));
  }
}
