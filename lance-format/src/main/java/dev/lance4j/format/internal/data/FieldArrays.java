package dev.lance4j.format.internal.data;

import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Takes the arrays of a schema's fields from vectors, whatever the vectors' nullability and
 * metadata. Columns and the children of structs are matched by name, in any order.
 */
public final class FieldArrays {
  private FieldArrays() {}

  /**
   * The arrays of a batch, sharing its memory. Columns that the schema does not have are ignored.
   *
   * @param dictionaries of dictionary-encoded columns; null when there are none
   * @return one array for each field, owned by the caller
   * @throws SchemaMismatchException if a column is missing or has another type
   * @throws dev.lance4j.format.InvalidInputException if a column is malformed
   */
  public static List<ArrayData> of(
      LanceSchema schema, VectorSchemaRoot batch, DictionaryProvider dictionaries) {
    List<ArrayData> arrays = new ArrayList<>(schema.fields().size());
    boolean complete = false;
    try {
      for (LanceField field : schema.fields()) {
        arrays.add(
            of(field.toArrow(), vector(batch, field.name()), batch.getRowCount(), dictionaries));
      }
      complete = true;
      return arrays;
    } finally {
      if (!complete) {
        arrays.forEach(ArrayData::close);
      }
    }
  }

  private static FieldVector vector(VectorSchemaRoot batch, String name) {
    for (FieldVector vector : batch.getFieldVectors()) {
      if (name.equals(vector.getName())) {
        return vector;
      }
    }
    throw new SchemaMismatchException(
        "Cannot write the batch: it was missing the column '" + name + "'");
  }

  private static ArrayData of(
      Field field, FieldVector vector, int length, DictionaryProvider dictionaries) {
    check(field, vector.getField(), field.getName());
    ArrayData data = ArrayDataVectors.of(vector, length, field.getName(), dictionaries);
    return inOrder(field, vector.getField(), data);
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
      int position = position(expected, actual, i);
      if (position < 0) {
        throw new SchemaMismatchException(
            String.format(
                "Column '%s' has no child '%s', which the schema has", path, child.getName()));
      }
      check(child, actual.getChildren().get(position), path + '.' + child.getName());
    }
  }

  /** Where a vector has a field's child; -1 if it has none of that name. */
  private static int position(Field expected, Field actual, int child) {
    if (!(storage(expected.getType()) instanceof ArrowType.Struct)) {
      return child;
    }
    String name = expected.getChildren().get(child).getName();
    List<Field> children = actual.getChildren();
    if (children.get(child).getName().equals(name)) {
      return child;
    }
    for (int i = 0; i < children.size(); i++) {
      if (children.get(i).getName().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** The array with the children of structs in the order of the field; takes the array over. */
  private static ArrayData inOrder(Field expected, Field actual, ArrayData data) {
    int count = expected.getDictionary() == null ? expected.getChildren().size() : 0;
    ArrayData[] children = new ArrayData[count];
    boolean same = true;
    for (int i = 0; i < count; i++) {
      int position = position(expected, actual, i);
      ArrayData child = data.child(position);
      children[i] =
          inOrder(expected.getChildren().get(i), actual.getChildren().get(position), child);
      same &= position == i && children[i] == child;
    }
    return same ? data : data.withChildren(children);
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
