package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.eval.Constant;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.eval.Nodes;
import dev.lance4j.scan.internal.expr.type.Coercion;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.ListValues;
import dev.lance4j.scan.internal.expr.values.Rows;
import dev.lance4j.scan.internal.expr.values.Values;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Functions that make lists of other lists or of single values. */
final class ListMakers {
  private static final int MAX_ITEMS = 16 << 20;

  private ListMakers() {}

  static void register(Map<String, FunctionBinder> functions) {
    ListFunctions.alias(functions, ListMakers::make, "make_array", "make_list");
    ListFunctions.alias(functions, ListMakers::sort, "array_sort", "list_sort");
    ListFunctions.alias(
        functions, a -> pick(a, ListMakers::distinct), "array_distinct", "list_distinct");
    ListFunctions.alias(
        functions, a -> pick(a, ListMakers::reversed), "array_reverse", "list_reverse");
    ListFunctions.alias(
        functions, a -> pick(a, rows -> head(rows)), "array_pop_back", "list_pop_back");
    ListFunctions.alias(
        functions, a -> pick(a, rows -> tail(rows)), "array_pop_front", "list_pop_front");
    ListFunctions.alias(
        functions,
        a -> extend(a, 0, 1),
        "array_append",
        "list_append",
        "array_push_back",
        "list_push_back");
    ListFunctions.alias(
        functions,
        a -> extend(a, 1, 0),
        "array_prepend",
        "list_prepend",
        "array_push_front",
        "list_push_front");
    ListFunctions.alias(
        functions, ListMakers::concat, "array_concat", "array_cat", "list_concat", "list_cat");
    ListFunctions.alias(functions, a -> remove(a, 1), "array_remove", "list_remove");
    ListFunctions.alias(
        functions, a -> remove(a, Integer.MAX_VALUE), "array_remove_all", "list_remove_all");
    ListFunctions.alias(functions, a -> remove(a, -1), "array_remove_n", "list_remove_n");
    ListFunctions.alias(functions, a -> replace(a, 1), "array_replace", "list_replace");
    ListFunctions.alias(
        functions, a -> replace(a, Integer.MAX_VALUE), "array_replace_all", "list_replace_all");
    ListFunctions.alias(functions, a -> replace(a, -1), "array_replace_n", "list_replace_n");
    ListFunctions.alias(functions, ListMakers::slice, "array_slice", "list_slice");
    ListFunctions.alias(functions, ListMakers::union, "array_union", "list_union");
    ListFunctions.alias(functions, a -> filter(a, true), "array_intersect", "list_intersect");
    ListFunctions.alias(functions, a -> filter(a, false), "array_except", "list_except");
    ListFunctions.alias(functions, ListMakers::repeat, "array_repeat", "list_repeat");
    ListFunctions.alias(functions, ListMakers::resize, "array_resize", "list_resize");
    ListFunctions.alias(functions, ListMakers::flatten, "flatten");
    ListFunctions.alias(functions, a -> range(a, false), "range");
    ListFunctions.alias(functions, a -> range(a, true), "generate_series");
  }

  private static Node make(Arguments a) {
    for (int i = 0; i < a.count(); i++) {
      refuseMixedConstants(a, i);
    }
    Type common = Type.NULL;
    for (int i = 0; i < a.count(); i++) {
      common = Coercion.numberBeforeText(common, a.type(i));
      if (common == null || (common.is(Kind.DATE32) && a.type(i).kind().isNumeric())) {
        throw a.wrongType(i, "of the type of the items before");
      }
    }
    Type type = common;
    List<Node> items = new ArrayList<>();
    for (int i = 0; i < a.count(); i++) {
      items.add(a.cast(i, type));
    }
    return RowFunction.nullAware(
        Type.list(type),
        items,
        (row, out) -> {
          int first = out.items().size();
          for (int i = 0; i < row.count(); i++) {
            out.items().append(row.values(i), row.position());
          }
          out.appendList(first);
        });
  }

  private static void refuseMixedConstants(Arguments a, int index) {
    boolean constants = a.get(0) instanceof Constant && a.get(index) instanceof Constant;
    boolean nulls = a.type(0).is(Kind.NULL) || a.type(index).is(Kind.NULL);
    if (constants && !nulls && !a.type(index).equals(a.type(0))) {
      throw a.wrongType(index, "of the first item's type " + a.type(0));
    }
  }

  /** The type of a list that a function makes: fixed sizes are given up. */
  private static Type variable(Type list, Type item) {
    return list.is(Kind.LARGE_LIST) ? Type.list(Kind.LARGE_LIST, 0, item) : Type.list(item);
  }

  private interface Picker {
    List<Integer> pick(List<Integer> rows);
  }

  /** A list of some items of another. */
  private static Node pick(Arguments a, Picker picker) {
    a.require(1);
    Node list = ListFunctions.list(a, 0);
    return RowFunction.strict(
        variable(list.type(), list.type().item()),
        List.of(list),
        (row, out) -> append(row.list(0), picker.pick(rowsWith(row.list(0), row.position())), out));
  }

  /** The positions of a list's items; the values of the picker's equality come with them. */
  private static List<Integer> rowsWith(ListValues lists, int row) {
    List<Integer> rows = new ItemRows(lists.items());
    for (int i = lists.start(row); i < lists.end(row); i++) {
      rows.add(i);
    }
    return rows;
  }

  /** Positions together with the values that they point at. */
  private static final class ItemRows extends ArrayList<Integer> {
    private static final long serialVersionUID = 1L;
    private final transient Values items;

    ItemRows(Values items) {
      this.items = items;
    }
  }

  private static void append(ListValues lists, List<Integer> rows, ValuesBuilder out) {
    int first = out.items().size();
    for (int row : rows) {
      out.items().append(lists.items(), row);
    }
    out.appendList(first);
  }

  private static List<Integer> distinct(List<Integer> rows) {
    Values items = ((ItemRows) rows).items;
    List<Integer> result = new ArrayList<>();
    for (int row : rows) {
      if (!containsItem(items, result, items, row)) {
        result.add(row);
      }
    }
    return result;
  }

  private static boolean containsItem(Values items, List<Integer> rows, Values values, int row) {
    for (int other : rows) {
      if (Rows.compareNullable(items, other, values, row) == 0) {
        return true;
      }
    }
    return false;
  }

  private static List<Integer> reversed(List<Integer> rows) {
    List<Integer> result = new ArrayList<>(rows);
    java.util.Collections.reverse(result);
    return result;
  }

  private static List<Integer> head(List<Integer> rows) {
    return rows.subList(0, Math.max(0, rows.size() - 1));
  }

  private static List<Integer> tail(List<Integer> rows) {
    return rows.isEmpty() ? rows : rows.subList(1, rows.size());
  }

  private static Node sort(Arguments a) {
    a.require(1, 3);
    Node list = ListFunctions.list(a, 0);
    boolean descending = a.count() > 1 && option(a, 1, "DESC", "ASC");
    boolean nullsLast = a.count() > 2 && option(a, 2, "NULLS LAST", "NULLS FIRST");
    return RowFunction.strict(
        variable(list.type(), list.type().item()),
        List.of(list),
        (row, out) -> {
          ListValues lists = row.list(0);
          List<Integer> rows = rowsWith(lists, row.position());
          rows.sort(order(lists.items(), descending, nullsLast));
          append(lists, rows, out);
        });
  }

  private static boolean option(Arguments a, int index, String yes, String no) {
    String value = a.constantText(index).toUpperCase(Locale.ROOT);
    if (!value.equals(yes) && !value.equals(no)) {
      throw new InvalidInputException(
          a.function() + " takes '" + yes + "' or '" + no + "', not '" + value + "'");
    }
    return value.equals(yes);
  }

  private static Comparator<Integer> order(Values items, boolean descending, boolean nullsLast) {
    return (x, y) -> {
      if (items.isNull(x) || items.isNull(y)) {
        int order = Boolean.compare(items.isNull(x), items.isNull(y));
        return nullsLast ? order : -order;
      }
      int order = items.compare(x, items, y);
      return descending ? -order : order;
    };
  }

  private static Node extend(Arguments a, int listIndex, int itemIndex) {
    a.require(2);
    if (a.type(listIndex).is(Kind.NULL)) {
      return make(new Arguments(a.function(), List.of(a.get(itemIndex)), a.now()));
    }
    List<Node> nodes = ListFunctions.withItem(a, listIndex, itemIndex, false);
    boolean append = listIndex == 0;
    return RowFunction.nullAware(
        variable(nodes.get(0).type(), nodes.get(1).type()),
        nodes,
        (row, out) -> {
          int first = out.items().size();
          if (!append) {
            out.items().append(row.values(1), row.position());
          }
          if (!row.isNull(0)) {
            copyItems(row.list(0), row.position(), out);
          }
          if (append) {
            out.items().append(row.values(1), row.position());
          }
          out.appendList(first);
        });
  }

  private static void copyItems(ListValues lists, int row, ValuesBuilder out) {
    for (int i = lists.start(row); i < lists.end(row); i++) {
      out.items().append(lists.items(), i);
    }
  }

  private static Node concat(Arguments a) {
    a.require(1, Integer.MAX_VALUE);
    Type item = Type.NULL;
    for (int i = 0; i < a.count(); i++) {
      item = Coercion.numberBeforeText(item, ListFunctions.list(a, i).type().item());
      if (item == null) {
        throw a.wrongType(i, "a list with items of the same type");
      }
    }
    List<Node> lists = new ArrayList<>();
    for (Node list : a.all()) {
      lists.add(Nodes.cast(list, variable(list.type(), item), false));
    }
    return RowFunction.nullAware(
        variable(lists.get(0).type(), item),
        lists,
        (row, out) -> {
          int first = out.items().size();
          boolean any = false;
          for (int i = 0; i < row.count(); i++) {
            if (!row.isNull(i)) {
              copyItems(row.list(i), row.position(), out);
              any = true;
            }
          }
          if (any) {
            out.appendList(first);
          } else {
            out.appendNull();
          }
        });
  }

  /**
   * @param limit how many equal items go; negative if an argument says
   */
  private static Node remove(Arguments a, int limit) {
    a.require(limit < 0 ? 3 : 2);
    List<Node> nodes = new ArrayList<>(ListFunctions.withItem(a, 0, 1, false));
    nodes.add(limit < 0 ? a.integer(2) : Constant.of((long) limit));
    return RowFunction.strict(
        variable(nodes.get(0).type(), nodes.get(1).type()),
        nodes,
        (row, out) -> {
          ListValues lists = row.list(0);
          long left = row.integer(2);
          int first = out.items().size();
          for (int i = lists.start(row.position()); i < lists.end(row.position()); i++) {
            if (left > 0
                && Rows.compareNullable(lists.items(), i, row.values(1), row.position()) == 0) {
              left--;
            } else {
              out.items().append(lists.items(), i);
            }
          }
          out.appendList(first);
        });
  }

  private static Node replace(Arguments a, int limit) {
    a.require(limit < 0 ? 4 : 3);
    Node list = ListFunctions.list(a, 0);
    Type item = Coercion.union(List.of(list.type().item(), a.type(1), a.type(2)));
    boolean texts = list.type().item().kind().isString();
    if (item == null || texts != item.kind().isString()) {
      throw a.wrongType(1, "of the list's item type " + list.type().item());
    }
    List<Node> nodes =
        List.of(
            Nodes.cast(list, variable(list.type(), item), false),
            a.cast(1, item),
            a.cast(2, item),
            limit < 0 ? a.integer(3) : Constant.of((long) limit));
    return RowFunction.nullAware(
        variable(list.type(), item),
        nodes,
        (row, out) -> {
          if (row.isNull(0)) {
            out.appendNull();
            return;
          }
          ListValues lists = row.list(0);
          long left = row.isNull(3) ? 0 : row.integer(3);
          int first = out.items().size();
          for (int i = lists.start(row.position()); i < lists.end(row.position()); i++) {
            boolean hit =
                left > 0
                    && Rows.compareNullable(lists.items(), i, row.values(1), row.position()) == 0;
            left -= hit ? 1 : 0;
            out.items().append(hit ? row.values(2) : lists.items(), hit ? row.position() : i);
          }
          out.appendList(first);
        });
  }

  /** Items from a position to another, both included, counted from 1 or from -1 at the end. */
  private static Node slice(Arguments a) {
    a.require(3, 4);
    Node list = ListFunctions.list(a, 0);
    List<Node> nodes = new ArrayList<>(List.of(list, a.integer(1), a.integer(2)));
    nodes.add(a.count() == 4 ? a.integer(3) : Constant.of(1L));
    return RowFunction.strict(
        variable(list.type(), list.type().item()),
        nodes,
        (row, out) -> {
          ListValues lists = row.list(0);
          int length = lists.length(row.position());
          long step = row.integer(3);
          if (step <= 0) {
            throw new InvalidInputException("array_slice needs a step greater than 0; got " + step);
          }
          long from = Math.max(1, fromEnd(row.integer(1), length));
          long to = Math.min(length, fromEnd(row.integer(2), length));
          int first = out.items().size();
          for (long i = from; i <= to; i += Math.min(step, MAX_ITEMS)) {
            out.items().append(lists.items(), lists.start(row.position()) + (int) i - 1);
          }
          out.appendList(first);
        });
  }

  private static long fromEnd(long position, int length) {
    return position < 0 ? length + position + 1 : position;
  }

  private static List<Node> both(Arguments a) {
    a.require(2);
    Type left = ListFunctions.list(a, 0).type();
    Type right = ListFunctions.list(a, 1).type();
    Type item = Coercion.numberBeforeText(left.item(), right.item());
    if (item == null) {
      throw a.wrongType(1, "a list with items of type " + left.item());
    }
    return List.of(
        Nodes.cast(ListFunctions.list(a, 0), variable(left, item), false),
        Nodes.cast(ListFunctions.list(a, 1), variable(right, item), false));
  }

  private static Node union(Arguments a) {
    List<Node> nodes = both(a);
    return RowFunction.strict(
        nodes.get(0).type(),
        nodes,
        (row, out) -> {
          ListValues left = row.list(0);
          List<Integer> rows = distinct(rowsWith(left, row.position()));
          int first = out.items().size();
          for (int item : rows) {
            out.items().append(left.items(), item);
          }
          ListValues right = row.list(1);
          for (int item : distinct(rowsWith(right, row.position()))) {
            if (!containsItem(left.items(), rows, right.items(), item)) {
              out.items().append(right.items(), item);
            }
          }
          out.appendList(first);
        });
  }

  private static Node filter(Arguments a, boolean keepCommon) {
    List<Node> nodes = both(a);
    return RowFunction.strict(
        nodes.get(0).type(),
        nodes,
        (row, out) -> {
          ListValues left = row.list(0);
          ListValues right = row.list(1);
          int first = out.items().size();
          for (int item : distinct(rowsWith(left, row.position()))) {
            if (ListFunctions.find(right, row.position(), left.items(), item) >= 0 == keepCommon) {
              out.items().append(left.items(), item);
            }
          }
          out.appendList(first);
        });
  }

  private static Node repeat(Arguments a) {
    a.require(2);
    return RowFunction.nullAware(
        Type.list(a.type(0)),
        List.of(a.get(0), a.integer(1)),
        (row, out) -> {
          if (row.isNull(1)) {
            out.appendNull();
            return;
          }
          int count = checked(Math.max(0, row.integer(1)));
          int first = out.items().size();
          for (int i = 0; i < count; i++) {
            out.items().append(row.values(0), row.position());
          }
          out.appendList(first);
        });
  }

  private static int checked(long count) {
    if (count > MAX_ITEMS) {
      throw new InvalidInputException("A list of " + count + " items is too long");
    }
    return (int) count;
  }

  private static Node resize(Arguments a) {
    a.require(2, 3);
    Node list = ListFunctions.list(a, 0);
    List<Node> nodes = new ArrayList<>();
    if (a.count() == 3) {
      nodes.addAll(ListFunctions.withItem(a, 0, 2, false));
    } else {
      nodes.add(list);
      nodes.add(Constant.nullOf(list.type().item()));
    }
    nodes.add(a.integer(1));
    return RowFunction.nullAware(
        variable(list.type(), nodes.get(1).type()),
        nodes,
        (row, out) -> {
          if (row.isNull(0) || row.isNull(2)) {
            out.appendNull();
            return;
          }
          if (row.integer(2) < 0) {
            throw new InvalidInputException("array_resize needs a size that is not negative");
          }
          ListValues lists = row.list(0);
          int size = checked(row.integer(2));
          int first = out.items().size();
          for (int i = 0; i < size; i++) {
            boolean old = i < lists.length(row.position());
            out.items()
                .append(
                    old ? lists.items() : row.values(1),
                    old ? lists.start(row.position()) + i : row.position());
          }
          out.appendList(first);
        });
  }

  /** The items of a list's lists; a list of other values is returned as it is. */
  private static Node flatten(Arguments a) {
    a.require(1);
    Node list = ListFunctions.list(a, 0);
    Type inner = list.type().item();
    if (!inner.kind().isList()) {
      return Nodes.cast(list, variable(list.type(), inner), false);
    }
    return RowFunction.strict(
        variable(list.type(), inner.item()),
        List.of(list),
        (row, out) -> {
          ListValues lists = row.list(0);
          ListValues items = (ListValues) lists.items();
          int first = out.items().size();
          for (int i = lists.start(row.position()); i < lists.end(row.position()); i++) {
            if (!items.isNull(i)) {
              copyItems(items, i, out);
            }
          }
          out.appendList(first);
        });
  }

  private static Node range(Arguments a, boolean inclusive) {
    a.require(1, 3);
    Node from = a.count() == 1 ? Constant.of(0L) : a.integer(0);
    Node to = a.integer(a.count() == 1 ? 0 : 1);
    Node step = a.count() == 3 ? a.integer(2) : Constant.of(1L);
    return RowFunction.strict(
        Type.list(Type.INT64),
        List.of(from, to, step),
        (row, out) -> {
          int count = steps(row.integer(0), row.integer(1), row.integer(2), inclusive);
          int first = out.items().size();
          for (int i = 0; i < count; i++) {
            out.items().append(row.integer(0) + i * row.integer(2));
          }
          out.appendList(first);
        });
  }

  private static int steps(long from, long to, long by, boolean inclusive) {
    if (by == 0) {
      throw new InvalidInputException("A range needs a step other than 0");
    }
    BigInteger distance = BigInteger.valueOf(to).subtract(BigInteger.valueOf(from));
    BigInteger[] steps = distance.divideAndRemainder(BigInteger.valueOf(by));
    boolean backwards = distance.signum() * Long.signum(by) < 0;
    if (backwards) {
      return 0;
    }
    boolean last = inclusive || steps[1].signum() != 0;
    BigInteger count = steps[0].add(last ? BigInteger.ONE : BigInteger.ZERO);
    return checked(count.bitLength() < Long.SIZE ? count.longValue() : Long.MAX_VALUE);
  }
}
