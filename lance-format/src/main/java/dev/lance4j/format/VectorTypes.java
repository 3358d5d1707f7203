package dev.lance4j.format;

import dev.lance4j.format.schema.LanceField;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Checks that a vector is of the type of a field, whatever its nullability and metadata. */
final class VectorTypes {
  private VectorTypes() {}

  static void check(LanceField field, FieldVector vector, String path) {
    check(field.toArrow(), vector.getField(), path);
  }

  private static void check(Field expected, Field actual, String path) {
    ArrowType type =
        expected.getDictionary() == null
            ? expected.getType()
            : expected.getDictionary().getIndexType();
    if (!same(storage(type), storage(actual.getType()))
        || (expected.getDictionary() == null) != (actual.getDictionary() == null)) {
      throw new SchemaMismatchException(
          String.format(
              "Column '%s' has the type %s where the schema has %s",
              path, describe(actual), describe(expected)));
    }
    List<Field> children = expected.getChildren();
    if (children.size() != actual.getChildren().size() && expected.getDictionary() == null) {
      throw new SchemaMismatchException(
          String.format(
              "Column '%s' has %d children where the schema has %d",
              path, actual.getChildren().size(), children.size()));
    }
    for (int i = 0; i < children.size(); i++) {
      Field child = children.get(i);
      Field actualChild = actual.getChildren().get(i);
      if (type instanceof ArrowType.Struct && !child.getName().equals(actualChild.getName())) {
        throw new SchemaMismatchException(
            String.format(
                "Column '%s' has the child '%s' where the schema has '%s'",
                path, actualChild.getName(), child.getName()));
      }
      check(child, actualChild, path + '.' + child.getName());
    }
  }

  private static boolean same(ArrowType expected, ArrowType actual) {
    return expected instanceof ArrowType.Map
        ? actual instanceof ArrowType.Map
        : expected.equals(actual);
  }

  private static ArrowType storage(ArrowType type) {
    return type instanceof ArrowType.ExtensionType extension ? extension.storageType() : type;
  }

  private static String describe(Field field) {
    return field.getDictionary() == null
        ? field.getType().toString()
        : "dictionary " + field.getDictionary() + " of " + field.getType();
  }
}
