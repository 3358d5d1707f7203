package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.eval.Casts;
import dev.lance4j.scan.internal.expr.eval.Constant;
import dev.lance4j.scan.internal.expr.eval.ElementNode;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.eval.Nodes;
import dev.lance4j.scan.internal.expr.type.Coercion;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.BytesValues;
import dev.lance4j.scan.internal.expr.values.DoubleValues;
import dev.lance4j.scan.internal.expr.values.ListValues;
import dev.lance4j.scan.internal.expr.values.Rows;
import dev.lance4j.scan.internal.expr.values.Values;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Functions that ask lists. Two nulls inside lists are equal. */
final class ListFunctions {
  private ListFunctions() {}

  static void register(Map<String, FunctionBinder> functions) {
    alias(
        functions, ListFunctions::has, "array_has", "array_contains", "list_has", "list_contains");
    alias(
        functions,
        a -> hasAny(a, true),
        "array_has_any",
        "list_has_any",
        "arrays_overlap",
        "array_overlap");
    alias(functions, a -> hasAny(a, false), "array_has_all", "list_has_all");
    alias(
        functions,
        ListFunctions::position,
        "array_position",
        "list_position",
        "array_indexof",
        "list_indexof");
    alias(functions, ListFunctions::positions, "array_positions", "list_positions");
    alias(functions, ListFunctions::length, "array_length", "list_length");
    alias(functions, ListFunctions::cardinality, "cardinality");
    alias(functions, ListFunctions::empty, "empty", "array_empty", "list_empty");
    alias(functions, ListFunctions::dimensions, "array_ndims", "list_ndims");
    alias(functions, ListFunctions::sizes, "array_dims", "list_dims");
    alias(functions, a -> extreme(a, -1), "array_min", "list_min");
    alias(functions, a -> extreme(a, 1), "array_max", "list_max");
    alias(functions, ListFunctions::anyValue, "array_any_value", "list_any_value");
    alias(
        functions,
        ListFunctions::element,
        "array_element",
        "array_extract",
        "list_element",
        "list_extract");
    alias(
        functions,
        ListFunctions::join,
        "array_to_string",
        "list_to_string",
        "array_join",
        "list_join");
    alias(functions, ListFunctions::distance, "array_distance", "list_distance");
  }

  static void alias(Map<String, FunctionBinder> functions, FunctionBinder binder, String... names) {
    for (String name : names) {
      functions.put(name, binder);
    }
  }

  /** A list; a fixed-size list stays one, and null is a list of nothing known. */
  static Node list(Arguments a, int index) {
    if (a.type(index).is(Kind.NULL)) {
      return Constant.nullOf(Type.list(Type.NULL));
    }
    if (!a.type(index).kind().isList()) {
      throw a.wrongType(index, "a list");
    }
    return a.get(index);
  }

  /**
   * A list and a value converted to a common item type; a number of one kind suits a list of the
   * other, but a text does not suit numbers.
   */
  static List<Node> withItem(Arguments a, int listIndex, int itemIndex, boolean keepList) {
    Node list = list(a, listIndex);
    Type itemType = list.type().item().decoded();
    Type value = a.type(itemIndex);
    Type common = Coercion.comparison(itemType, value);
    boolean mixed =
        value.kind().isString() != itemType.kind().isString()
            && !value.is(Kind.NULL)
            && !itemType.is(Kind.NULL);
    boolean foreign =
        common != null
            && (common.kind().isDecimal() || common.is(Kind.DATE32))
            && common.kind() != itemType.kind()
            && !itemType.is(Kind.NULL);
    boolean dateBesideNumber = value.is(Kind.DATE32) && itemType.kind().isNumeric();
    if (common == null || mixed || foreign || dateBesideNumber) {
      throw a.wrongType(itemIndex, "of the list's item type " + itemType);
    }
    Type listType = withItems(list.type(), common);
    return List.of(
        keepList && list.type().item().equals(common) ? list : Nodes.cast(list, listType, false),
        Nodes.cast(a.get(itemIndex), common, false));
  }

  static Type withItems(Type list, Type item) {
    return Type.list(list.kind(), list.width(), item);
  }

  private static Node has(Arguments a) {
    a.require(2);
    List<Node> nodes = withItem(a, 0, 1, true);
    return RowFunction.strict(
            Type.BOOLEAN,
            nodes,
            (row, out) ->
                out.append(find(row.list(0), row.position(), row.values(1), row.position()) >= 0))
        .named("array_has");
  }

  /** The position of the first equal item among all items, or -1. */
  static int find(ListValues lists, int row, Values values, int valueRow) {
    Values items = lists.items();
    for (int i = lists.start(row); i < lists.end(row); i++) {
      if (Rows.compareNullable(items, i, values, valueRow) == 0) {
        return i;
      }
    }
    return -1;
  }

  private static Node hasAny(Arguments a, boolean any) {
    a.require(2);
    if (any && (a.type(0).is(Kind.NULL) || a.type(1).is(Kind.NULL))) {
      return Constant.nullOf(Type.BOOLEAN);
    }
    List<Node> lists = lists(a);
    if (isEmptyConstant(lists.get(1))) {
      return new Constant(Type.BOOLEAN, Constant.of(!any).value());
    }
    return RowFunction.strict(
            Type.BOOLEAN, lists, (row, out) -> out.append(any ? overlap(row) : containsAll(row)))
        .named(any ? "array_has_any" : "array_has_all");
  }

  /** Both lists with a common item type; that of the second wins over text. */
  private static List<Node> lists(Arguments a) {
    Type left = list(a, 0).type().item().decoded();
    Type right = list(a, 1).type().item().decoded();
    Type common = Coercion.numberBeforeText(left, right);
    if (common == null) {
      throw a.wrongType(1, "a list with items of type " + left);
    }
    return List.of(
        Nodes.cast(list(a, 0), withItems(list(a, 0).type(), common), false),
        Nodes.cast(list(a, 1), withItems(list(a, 1).type(), common), false));
  }

  private static boolean isEmptyConstant(Node node) {
    return node instanceof Constant constant
        && !constant.isNull()
        && ((ListValues) constant.value()).length(0) == 0;
  }

  private static boolean overlap(Row row) {
    ListValues right = row.list(1);
    for (int i = right.start(row.position()); i < right.end(row.position()); i++) {
      if (find(row.list(0), row.position(), right.items(), i) >= 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean containsAll(Row row) {
    ListValues right = row.list(1);
    for (int i = right.start(row.position()); i < right.end(row.position()); i++) {
      if (find(row.list(0), row.position(), right.items(), i) < 0) {
        return false;
      }
    }
    return true;
  }

  private static Node position(Arguments a) {
    a.require(2, 3);
    List<Node> nodes = new ArrayList<>(withItem(a, 0, 1, true));
    if (a.count() == 3) {
      nodes.add(a.integer(2));
    }
    return RowFunction.nullAware(Type.UINT64, nodes, ListFunctions::appendPosition);
  }

  private static void appendPosition(Row row, ValuesBuilder out) {
    if (row.isNull(0)) {
      out.appendNull();
      return;
    }
    ListValues lists = row.list(0);
    int start = lists.start(row.position());
    int from = start;
    if (row.count() == 3 && !row.isNull(2)) {
      long first = row.integer(2);
      if (first < 1 || first > lists.length(row.position())) {
        throw new InvalidInputException("array_position starts within the list, not at " + first);
      }
      from += (int) first - 1;
    }
    for (int i = from; i < lists.end(row.position()); i++) {
      if (Rows.compareNullable(lists.items(), i, row.values(1), row.position()) == 0) {
        out.append(i - start + 1L);
        return;
      }
    }
    out.appendNull();
  }

  private static Node positions(Arguments a) {
    a.require(2);
    return RowFunction.nullAware(
        Type.list(Type.UINT64),
        withItem(a, 0, 1, true),
        (row, out) -> {
          if (row.isNull(0)) {
            out.appendNull();
            return;
          }
          int first = out.items().size();
          ListValues lists = row.list(0);
          int start = lists.start(row.position());
          for (int i = start; i < lists.end(row.position()); i++) {
            if (Rows.compareNullable(lists.items(), i, row.values(1), row.position()) == 0) {
              out.items().append(i - start + 1L);
            }
          }
          out.appendList(first);
        });
  }

  private static Node length(Arguments a) {
    a.require(1, 2);
    List<Node> nodes = new ArrayList<>(List.of(list(a, 0)));
    nodes.add(a.count() == 2 ? a.integer(1) : Constant.of(1L));
    return RowFunction.strict(
        Type.UINT64,
        nodes,
        (row, out) -> {
          long length = lengthOf(row.list(0), row.position(), row.integer(1));
          if (length < 0) {
            out.appendNull();
          } else {
            out.append(length);
          }
        });
  }

  /** The length in a dimension, following the first items; negative if there is none. */
  private static long lengthOf(ListValues lists, int row, long dimension) {
    if (dimension < 1) {
      return -1;
    }
    if (dimension == 1) {
      return lists.length(row);
    }
    boolean deeper = lists.length(row) > 0 && lists.items() instanceof ListValues;
    return deeper ? lengthOf((ListValues) lists.items(), lists.start(row), dimension - 1) : -1;
  }

  /** The number of items that are no lists themselves, or of entries of a map. */
  private static Node cardinality(Arguments a) {
    a.require(1);
    Kind kind = a.type(0).kind();
    if (kind == Kind.NULL) {
      return Constant.nullOf(Type.UINT64);
    }
    if (!kind.isList() && kind != Kind.MAP) {
      throw a.wrongType(0, "a list or map");
    }
    return RowFunction.strict(
        Type.UINT64,
        List.of(a.get(0)),
        (row, out) -> out.append(leaves(row.list(0), row.position())));
  }

  private static long leaves(ListValues lists, int row) {
    if (!(lists.items() instanceof ListValues inner)) {
      return lists.length(row);
    }
    long count = 0;
    for (int i = lists.start(row); i < lists.end(row); i++) {
      count += inner.isNull(i) ? 0 : leaves(inner, i);
    }
    return count;
  }

  private static Node empty(Arguments a) {
    a.require(1);
    return RowFunction.strict(
        Type.BOOLEAN,
        List.of(list(a, 0)),
        (row, out) -> out.append(row.list(0).length(row.position()) == 0));
  }

  private static int depth(Type type) {
    return type.kind().isList() ? 1 + depth(type.item()) : 0;
  }

  private static Node dimensions(Arguments a) {
    a.require(1);
    int depth = depth(list(a, 0).type());
    return RowFunction.strict(
        Type.UINT64, List.of(a.get(0)), (row, out) -> out.append((long) depth));
  }

  /** The length in each dimension; null for an empty list. */
  private static Node sizes(Arguments a) {
    a.require(1);
    int depth = depth(list(a, 0).type());
    return RowFunction.strict(
        Type.list(Type.UINT64),
        List.of(a.get(0)),
        (row, out) -> {
          if (row.list(0).length(row.position()) == 0) {
            out.appendNull();
            return;
          }
          int first = out.items().size();
          for (int dimension = 1; dimension <= depth; dimension++) {
            out.items().append(Math.max(0, lengthOf(row.list(0), row.position(), dimension)));
          }
          out.appendList(first);
        });
  }

  private static Node extreme(Arguments a, int wanted) {
    a.require(1);
    Node list = list(a, 0);
    return RowFunction.strict(
        list.type().item().decoded(),
        List.of(list),
        (row, out) -> {
          ListValues lists = row.list(0);
          int best = -1;
          for (int i = lists.start(row.position()); i < lists.end(row.position()); i++) {
            if (!lists.items().isNull(i)
                && (best < 0 || lists.items().compare(i, lists.items(), best) * wanted > 0)) {
              best = i;
            }
          }
          appendItem(lists, best, out);
        });
  }

  private static void appendItem(ListValues lists, int item, ValuesBuilder out) {
    if (item < 0) {
      out.appendNull();
    } else {
      out.append(lists.items(), item);
    }
  }

  private static Node anyValue(Arguments a) {
    a.require(1);
    Node list = list(a, 0);
    return RowFunction.strict(
        list.type().item().decoded(),
        List.of(list),
        (row, out) -> {
          ListValues lists = row.list(0);
          int found = -1;
          for (int i = lists.start(row.position());
              found < 0 && i < lists.end(row.position());
              i++) {
            found = lists.items().isNull(i) ? -1 : i;
          }
          appendItem(lists, found, out);
        });
  }

  private static Node element(Arguments a) {
    a.require(2);
    return new ElementNode(list(a, 0), a.integer(1));
  }

  private static Node join(Arguments a) {
    a.require(2, 3);
    Node list = list(a, 0);
    Type texts = withItems(list.type(), Type.UTF8);
    Node cast = Casts.allowed(list.type(), texts) ? numbersPlain(list, texts) : null;
    if (cast == null) {
      throw a.wrongType(0, "a list of values that have a text");
    }
    List<Node> nodes = new ArrayList<>(List.of(cast, a.anyText(1)));
    if (a.count() == 3) {
      nodes.add(a.anyText(2));
    }
    return RowFunction.nullAware(Type.UTF8, nodes, ListFunctions::appendJoined);
  }

  /** Whole floating-point numbers are joined without their fraction. */
  private static Node numbersPlain(Node list, Type texts) {
    Node cast = Nodes.cast(list, texts, false);
    if (!list.type().item().kind().isFloat()) {
      return cast;
    }
    return RowFunction.strict(
        texts,
        List.of(cast),
        (row, out) -> {
          ListValues lists = row.list(0);
          int first = out.items().size();
          for (int i = lists.start(row.position()); i < lists.end(row.position()); i++) {
            if (lists.items().isNull(i)) {
              out.items().appendNull();
            } else {
              String text = ((BytesValues) lists.items()).string(i);
              out.items().append(text.endsWith(".0") ? text.substring(0, text.length() - 2) : text);
            }
          }
          out.appendList(first);
        });
  }

  private static void appendJoined(Row row, ValuesBuilder out) {
    if (row.isNull(0) || row.isNull(1)) {
      out.appendNull();
      return;
    }
    String absent = row.count() == 3 && !row.isNull(2) ? row.text(2) : null;
    ListValues lists = row.list(0);
    List<String> parts = new ArrayList<>();
    for (int i = lists.start(row.position()); i < lists.end(row.position()); i++) {
      boolean missing = lists.items().isNull(i);
      if (!missing || absent != null) {
        parts.add(missing ? absent : ((BytesValues) lists.items()).string(i));
      }
    }
    out.append(String.join(row.text(1), parts));
  }

  /** The Euclidean distance of two lists of numbers of one length. */
  private static Node distance(Arguments a) {
    a.require(2);
    Type doubles = Type.list(Type.FLOAT64);
    list(a, 0);
    list(a, 1);
    return RowFunction.strict(
        Type.FLOAT64,
        List.of(a.cast(0, doubles), a.cast(1, doubles)),
        (row, out) -> {
          ListValues left = row.list(0);
          ListValues right = row.list(1);
          int at = row.position();
          if (left.length(at) != right.length(at)) {
            throw new InvalidInputException("array_distance needs lists of one length");
          }
          DoubleValues x = (DoubleValues) left.items();
          DoubleValues y = (DoubleValues) right.items();
          double sum = 0;
          for (int i = 0; i < left.length(at); i++) {
            double difference = x.get(left.start(at) + i) - y.get(right.start(at) + i);
            sum += difference * difference;
          }
          out.append(Math.sqrt(sum));
        });
  }
}
