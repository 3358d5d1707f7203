package dev.lance4j.format.testing;

import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.ElementAddressableVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Compares tables value by value: floats by their bits, dictionary keys by what they stand for.
 * What lies under a null does not count, nor do field metadata, nullability and the names of list
 * items.
 */
public final class TableAssert {
  private TableAssert() {}

  /** Fails with the column, the row and both values where the tables differ first. */
  public static void assertEqual(ArrowTable expected, ArrowTable actual) {
    if (hasDictionary(expected) || hasDictionary(actual)) {
      try (ArrowTable left = decoded(expected);
          ArrowTable right = decoded(actual)) {
        compare(left, right);
      }
    } else {
      compare(expected, actual);
    }
  }

  private static ArrowTable decoded(ArrowTable table) {
    return Tables.decoded(table, table.root().getVector(0).getAllocator());
  }

  private static boolean hasDictionary(ArrowTable table) {
    return table.root().getSchema().getFields().stream().anyMatch(TableAssert::hasDictionary);
  }

  private static boolean hasDictionary(Field field) {
    return field.getDictionary() != null
        || field.getChildren().stream().anyMatch(TableAssert::hasDictionary);
  }

  private static void compare(ArrowTable expected, ArrowTable actual) {
    if (!expected.columnNames().equals(actual.columnNames())) {
      throw new AssertionError(
          "Expected the columns "
              + expected.columnNames()
              + " but there are "
              + actual.columnNames());
    }
    if (expected.rowCount() != actual.rowCount()) {
      throw new AssertionError(
          "Expected " + expected.rowCount() + " rows but there are " + actual.rowCount());
    }
    for (String name : expected.columnNames()) {
      assertEqual(expected.column(name), actual.column(name), expected.rowCount());
    }
  }

  /** Fails where the first {@code count} values of two vectors without dictionaries differ. */
  public static void assertEqual(FieldVector expected, FieldVector actual, int count) {
    String name = expected.getName();
    checkType(expected.getField(), actual.getField(), name);
    if (actual.getValueCount() < count) {
      throw new AssertionError(
          "Column " + name + " has " + actual.getValueCount() + " values instead of " + count);
    }
    for (int row = 0; row < count; row++) {
      if (!equal(expected, row, actual, row)) {
        throw new AssertionError(
            "Column "
                + name
                + " ("
                + expected.getField().getType()
                + ") differs in row "
                + row
                + " of "
                + count
                + "\n  expected: "
                + show(expected, row)
                + "\n  but was:  "
                + show(actual, row));
      }
    }
  }

  private static void checkType(Field expected, Field actual, String path) {
    if (!expected.getType().equals(actual.getType())) {
      throw new AssertionError(
          "Column "
              + path
              + " should have the type "
              + expected.getType()
              + " but has "
              + actual.getType());
    }
    List<Field> expectedChildren = expected.getChildren();
    List<Field> actualChildren = actual.getChildren();
    if (expectedChildren.size() != actualChildren.size()) {
      throw new AssertionError("Column " + path + " should be " + expected + " but is " + actual);
    }
    for (int i = 0; i < expectedChildren.size(); i++) {
      Field child = expectedChildren.get(i);
      checkType(child, actualChildren.get(i), path + '.' + child.getName());
    }
  }

  private static Object show(FieldVector vector, int row) {
    Object value = vector.getObject(row);
    return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value;
  }

  private static boolean equal(FieldVector a, int i, FieldVector b, int j) {
    if (a instanceof NullVector) {
      return true;
    }
    if (a.isNull(i) || b.isNull(j)) {
      return a.isNull(i) && b.isNull(j);
    }
    if (a instanceof BitVector left) {
      return left.get(i) == ((BitVector) b).get(j);
    }
    if (a instanceof ElementAddressableVector left) {
      return left.getDataPointer(i).equals(((ElementAddressableVector) b).getDataPointer(j));
    }
    if (a instanceof StructVector left) {
      return equalStructs(left, i, (StructVector) b, j);
    }
    if (a instanceof FixedSizeListVector left) {
      FixedSizeListVector right = (FixedSizeListVector) b;
      int size = left.getListSize();
      return equalRanges(
          left.getDataVector(), i * size, size, right.getDataVector(), j * size, size);
    }
    if (a instanceof ListVector left) {
      ListVector right = (ListVector) b;
      return equalRanges(
          left.getDataVector(),
          left.getElementStartIndex(i),
          left.getElementEndIndex(i) - left.getElementStartIndex(i),
          right.getDataVector(),
          right.getElementStartIndex(j),
          right.getElementEndIndex(j) - right.getElementStartIndex(j));
    }
    LargeListVector left = (LargeListVector) a;
    LargeListVector right = (LargeListVector) b;
    return equalRanges(
        left.getDataVector(),
        (int) left.getElementStartIndex(i),
        (int) (left.getElementEndIndex(i) - left.getElementStartIndex(i)),
        right.getDataVector(),
        (int) right.getElementStartIndex(j),
        (int) (right.getElementEndIndex(j) - right.getElementStartIndex(j)));
  }

  private static boolean equalStructs(StructVector a, int i, StructVector b, int j) {
    for (int child = 0; child < a.size(); child++) {
      FieldVector left = (FieldVector) a.getChildByOrdinal(child);
      FieldVector right = (FieldVector) b.getChildByOrdinal(child);
      if (!equal(left, i, right, j)) {
        return false;
      }
    }
    return true;
  }

  private static boolean equalRanges(
      FieldVector a, int aStart, int aLength, FieldVector b, int bStart, int bLength) {
    if (aLength != bLength) {
      return false;
    }
    for (int k = 0; k < aLength; k++) {
      if (!equal(a, aStart + k, b, bStart + k)) {
        return false;
      }
    }
    return true;
  }
}
