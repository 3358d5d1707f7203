package dev.lance4j.index.internal.scalar;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.schema.LanceField;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

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
    if (column.metadata().containsKey(BlobV2Fields.MARK)) {
      throw new InvalidInputException(
          kind + " index cannot be created on field '" + column.name() + "', which holds blobs");
    }
    if (field.getDictionary() != null) {
      throw new InvalidInputException(
          kind
              + " index cannot be created on field '"
              + column.name()
              + "', which is dictionary-encoded; index a column of plain values");
    }
  }

  /** The field of a column's values, without a meaning that only applications know. */
  public static Field values(LanceField column) {
    Field field = column.toArrow();
    ArrowType type = field.getType();
    ArrowType storage =
        type instanceof ArrowType.ExtensionType extension ? extension.storageType() : type;
    return new Field(
        column.name(), new FieldType(true, storage, field.getDictionary()), field.getChildren());
  }

  private static boolean isFlat(Field field) {
    return switch (ArrayLayout.of(field).kind()) {
      case NULL, FIXED, VARIABLE, LARGE_VARIABLE -> true;
      case LIST, LARGE_LIST, FIXED_SIZE_LIST, STRUCT -> false;
    };
  }
}
