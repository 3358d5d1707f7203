package dev.lance4j.scan.internal.expr;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.expr.type.ArrowTypes;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Finds columns and nested fields of a schema by name, and remembers which ones are used. */
final class Columns {
  /**
   * A column or nested field.
   *
   * @param path as the schema spells it
   * @param type of its values
   * @param nullable whether it, or a struct around it, may be null
   */
  record Found(List<String> path, Type type, boolean nullable) {}

  private static final int LISTED = 20;

  private final Schema schema;
  private final List<List<String>> used = new ArrayList<>();

  Columns(Schema schema) {
    this.schema = schema;
  }

  List<List<String>> used() {
    return List.copyOf(used);
  }

  /** The index of a column among those used. */
  int use(Found column) {
    int index = used.indexOf(column.path());
    if (index < 0) {
      used.add(column.path());
      index = used.size() - 1;
    }
    return index;
  }

  /**
   * @throws InvalidInputException if the schema has no such column or field
   */
  Found find(Expression.Column column) {
    Field top = top(column.path().get(0), column.exact());
    List<String> path = new ArrayList<>(List.of(top.getName()));
    Type type = ArrowTypes.of(top);
    for (String name : column.path().subList(1, column.path().size())) {
      if (!type.is(Kind.STRUCT)) {
        throw new InvalidInputException(
            "'"
                + String.join(".", path)
                + "' is of type "
                + type
                + " and has no field '"
                + name
                + "'");
      }
      type = type.children().get(fieldIndex(type, name)).type();
      path.add(name);
    }
    return new Found(path, type, isNullable(top, path));
  }

  private static boolean isNullable(Field top, List<String> path) {
    Field field = top;
    // A key that is not null may stand for a null in the dictionary.
    boolean nullable = top.isNullable() || top.getDictionary() != null;
    for (String name : path.subList(1, path.size())) {
      field = field.getChildren().stream().filter(c -> c.getName().equals(name)).findFirst().get();
      nullable |= field.isNullable() || field.getDictionary() != null;
    }
    return nullable;
  }

  /** Whether the path leads through structs to a field. */
  boolean isField(Expression.Column column) {
    Type type = ArrowTypes.of(top(column.path().get(0), column.exact()));
    for (String name : column.path().subList(1, column.path().size())) {
      if (!type.is(Kind.STRUCT)) {
        return false;
      }
      type = type.children().get(fieldIndex(type, name)).type();
    }
    return true;
  }

  /** A name matches as it is, or else ignoring case unless it must be exact. */
  private Field top(String name, boolean exact) {
    for (Field field : schema.getFields()) {
      if (field.getName().equals(name)) {
        return field;
      }
    }
    for (Field field : schema.getFields()) {
      if (!exact && equalsIgnoringAsciiCase(field.getName(), name)) {
        return field;
      }
    }
    List<String> names = schema.getFields().stream().map(Field::getName).toList();
    String listed = String.join(", ", names.subList(0, Math.min(LISTED, names.size())));
    throw new InvalidInputException(
        "No column is called '"
            + name
            + "'"
            + NearestNames.hint(name, names)
            + " (the columns are "
            + listed
            + (names.size() > LISTED ? ", …)" : ")"));
  }

  private static boolean equalsIgnoringAsciiCase(String left, String right) {
    if (left.length() != right.length()) {
      return false;
    }
    for (int i = 0; i < left.length(); i++) {
      if (lower(left.charAt(i)) != lower(right.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
  }

  /** The position of a field of a struct type. */
  static int fieldIndex(Type struct, String name) {
    int index = struct.fieldIndex(name);
    if (index < 0) {
      List<String> names = struct.children().stream().map(Type.Child::name).toList();
      throw new InvalidInputException(
          "The struct has no field '"
              + name
              + "'"
              + NearestNames.hint(name, names)
              + " (its fields are "
              + String.join(", ", names)
              + ")");
    }
    return index;
  }
}
