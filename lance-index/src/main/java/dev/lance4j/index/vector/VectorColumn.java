package dev.lance4j.index.vector;

import dev.lance4j.format.SchemaMismatchException;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The shape of a column of vectors.
 *
 * @param element what the components are
 * @param dimension the number of components; for vectors of bits, of bytes
 * @param isMulti whether a row has a list of vectors
 */
public record VectorColumn(VectorElement element, int dimension, boolean isMulti) {
  /**
   * The shape of a column.
   *
   * @throws SchemaMismatchException if it is no column of vectors
   */
  public static VectorColumn of(Field field) {
    boolean isMulti = field.getType() instanceof ArrowType.List;
    Field vector = isMulti ? field.getChildren().get(0) : field;
    if (vector.getType() instanceof ArrowType.FixedSizeList list && list.getListSize() > 0) {
      VectorElement element = VectorElement.of(vector.getChildren().get(0));
      return new VectorColumn(element, list.getListSize(), isMulti);
    }
    throw new SchemaMismatchException(
        String.format(
            "The column '%s' of type %s has no vectors: use a fixed-size list of numbers",
            field.getName(), field.getType()));
  }
}
