package dev.lance4j.index.internal.scalar;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.schema.LanceField;
import org.apache.arrow.vector.types.pojo.Field;

/** Columns whose values are neither lists nor structs. */
public final class FlatColumns {
  private FlatColumns() {}

  /**
   * Checks that a column is one.
   *
   * @param kind of index, with its article, such as {@code "A bitmap"}
   * @throws InvalidInputException if not
   */
  public static void check(LanceField column, String kind) {
    Field field = column.toArrow();
    if (!column.children().isEmpty() || !isFlat(field)) {
      throw new InvalidInputException(
          kind
              + " index can only be created on a non-nested field. Field '"
              + column.name()
              + "' has type "
              + field.getType());
    }
    if (field.getDictionary() != null) {
      throw new InvalidInputException(
          kind
              + " index cannot be created on field '"
              + column.name()
              + "', which is dictionary-encoded; index a column of plain values");
    }
  }

  private static boolean isFlat(Field field) {
    return switch (ArrayLayout.of(field).kind()) {
      case NULL, FIXED, VARIABLE, LARGE_VARIABLE -> true;
      case LIST, LARGE_LIST, FIXED_SIZE_LIST, STRUCT -> false;
    };
  }
}
