package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.expr.BoundExpression;
import dev.lance4j.scan.expr.Expression;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Expressions that are nothing but a column, so that its values are taken as they are stored. */
final class ColumnCopy {
  private static final List<String> OF_VALUES = List.of("ARROW:extension:", "lance-encoding:");

  private ColumnCopy() {}

  /**
   * The column that an expression gives as it is, or null if it computes something.
   *
   * @throws InvalidInputException if it computes something with whole blobs
   */
  static LanceField of(Expression expression, BoundExpression bound, LanceSchema table) {
    boolean structs = bound.field("").getType() instanceof ArrowType.Struct;
    for (List<String> path : bound.columns()) {
      LanceField column = path.size() == 1 ? table.field(path.get(0)) : null;
      if (expression instanceof Expression.Column) {
        return column;
      }
      if (structs && column != null && BlobV2Fields.isBlob(column)) {
        throw new InvalidInputException(
            "The blobs of column '"
                + column.name()
                + "' can be copied as they are, but not be chosen by "
                + expression);
      }
    }
    return null;
  }

  /** What the metadata of a column says of its values: their type and how they are stored. */
  static Map<String, String> valueMetadata(LanceField column) {
    Map<String, String> metadata = new HashMap<>(column.metadata());
    metadata.keySet().removeIf(key -> OF_VALUES.stream().noneMatch(key::startsWith));
    return metadata;
  }
}
