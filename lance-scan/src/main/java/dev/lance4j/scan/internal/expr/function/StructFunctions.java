package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.NearestNames;
import dev.lance4j.scan.internal.expr.eval.FieldNode;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.eval.Nodes;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.ListValues;
import dev.lance4j.scan.internal.expr.values.Rows;
import dev.lance4j.scan.internal.expr.values.StructValues;
import dev.lance4j.scan.internal.expr.values.Values;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Functions on structs and maps. */
final class StructFunctions {
  private StructFunctions() {}

  static void register(Map<String, FunctionBinder> functions) {
    functions.put("get_field", StructFunctions::getField);
    functions.put("named_struct", StructFunctions::namedStruct);
    ListFunctions.alias(functions, StructFunctions::struct, "struct", "row");
    functions.put("map", StructFunctions::map);
    functions.put("map_keys", a -> mapPart(a, 0));
    functions.put("map_values", a -> mapPart(a, 1));
    ListFunctions.alias(functions, StructFunctions::mapExtract, "map_extract", "element_at");
  }

  private static Node getField(Arguments a) {
    a.require(2);
    String name = a.constantText(1);
    Type type = a.type(0);
    if (!type.is(Kind.STRUCT)) {
      throw a.wrongType(0, "a struct");
    }
    int index = type.fieldIndex(name);
    if (index < 0) {
      List<String> names = type.children().stream().map(Type.Child::name).toList();
      throw new InvalidInputException(
          "The struct has no field '" + name + "'" + NearestNames.hint(name, names));
    }
    return new FieldNode(a.get(0), index);
  }

  private static Node namedStruct(Arguments a) {
    a.require(2, Integer.MAX_VALUE);
    if (a.count() % 2 != 0) {
      throw new InvalidInputException("named_struct takes pairs of a name and a value");
    }
    List<Type.Child> fields = new ArrayList<>();
    List<Node> values = new ArrayList<>();
    for (int i = 0; i < a.count(); i += 2) {
      fields.add(new Type.Child(a.constantText(i), a.type(i + 1)));
      values.add(a.get(i + 1));
    }
    return make(fields, values);
  }

  private static Node struct(Arguments a) {
    a.require(1, Integer.MAX_VALUE);
    List<Type.Child> fields = new ArrayList<>();
    for (int i = 0; i < a.count(); i++) {
      fields.add(new Type.Child("c" + i, a.type(i)));
    }
    return make(fields, a.all());
  }

  private static Node make(List<Type.Child> fields, List<Node> values) {
    return RowFunction.nullAware(
        Type.struct(fields),
        values,
        (row, out) -> {
          for (int i = 0; i < row.count(); i++) {
            out.field(i).append(row.values(i), row.position());
          }
          out.appendStruct();
        });
  }

  /** A map of a list of keys and a list of values. */
  private static Node map(Arguments a) {
    a.require(2);
    Type keys = ListFunctions.list(a, 0).type();
    Type values = ListFunctions.list(a, 1).type();
    return RowFunction.strict(
        Type.map(keys.item(), values.item()),
        a.all(),
        (row, out) -> {
          int at = row.position();
          if (row.list(0).length(at) != row.list(1).length(at)) {
            throw new InvalidInputException("map needs as many keys as values");
          }
          int first = out.items().size();
          for (int i = 0; i < row.list(0).length(at); i++) {
            ValuesBuilder entry = out.items();
            entry.field(0).append(row.list(0).items(), row.list(0).start(at) + i);
            entry.field(1).append(row.list(1).items(), row.list(1).start(at) + i);
            entry.appendStruct();
          }
          out.appendList(first);
        });
  }

  private static Type mapType(Arguments a) {
    Type type = a.type(0);
    if (!type.is(Kind.MAP)) {
      throw a.wrongType(0, "a map");
    }
    return type;
  }

  private static Node mapPart(Arguments a, int part) {
    a.require(1);
    Type item = mapType(a).children().get(part).type();
    return RowFunction.strict(
        Type.list(item),
        a.all(),
        (row, out) -> {
          ListValues maps = row.list(0);
          Values values = ((StructValues) maps.items()).field(part);
          int first = out.items().size();
          for (int i = maps.start(row.position()); i < maps.end(row.position()); i++) {
            out.items().append(values, i);
          }
          out.appendList(first);
        });
  }

  /** The value of a key as list of one; null in it if there is no such key. */
  private static Node mapExtract(Arguments a) {
    a.require(2);
    Type type = mapType(a);
    Node key = Nodes.cast(a.get(1), type.item(), false);
    return RowFunction.nullAware(
        Type.list(type.children().get(1).type()),
        List.of(a.get(0), key),
        (row, out) -> {
          int first = out.items().size();
          int entry = row.isNull(0) ? -1 : find(row);
          if (entry < 0) {
            out.items().appendNull();
          } else {
            out.items().append(((StructValues) row.list(0).items()).field(1), entry);
          }
          out.appendList(first);
        });
  }

  private static int find(Row row) {
    ListValues maps = row.list(0);
    Values keys = ((StructValues) maps.items()).field(0);
    for (int i = maps.start(row.position()); i < maps.end(row.position()); i++) {
      if (Rows.compareNullable(keys, i, row.values(1), row.position()) == 0) {
        return i;
      }
    }
    return -1;
  }
}
