package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.internal.blob.PendingBlobs;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.internal.data.ArrayGather;
import dev.lance4j.format.internal.data.DictionaryArrays;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.expr.BoundExpression;
import dev.lance4j.scan.expr.Expression;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** A column, or a field of struct columns, and the expression that it is set to. Immutable. */
final class Assignment {
  private static final int NONE = -1;

  private final int column;
  private final LanceField top;
  private final int[] path;
  private final Field target;
  private final BoundExpression expression;
  private final boolean jsonText;
  private final boolean blob;

  /** The position of the blob column that is copied, or NONE. */
  private final int copied;

  /**
   * @param column the position of the column in the schema
   * @param top the column
   * @param path the positions of the children that lead to the field
   * @param leaf the field, the column itself if the path is empty
   * @param table the schema of the table
   * @param schema what the expression may use
   * @throws InvalidInputException if the expression does not fit
   */
  Assignment(
      int column,
      LanceField top,
      int[] path,
      LanceField leaf,
      Expression expression,
      LanceSchema table,
      Schema schema) {
    this.column = column;
    this.top = top;
    this.path = path;
    this.blob = BlobV2Fields.isBlob(leaf);
    this.target =
        blob ? Field.nullable(leaf.name(), ArrowType.LargeBinary.INSTANCE) : leaf.toArrow();
    this.jsonText = leaf.logicalType().equals("json") && isText(expression, schema);
    this.copied = blob ? copiedBlobs(expression, table, schema) : NONE;
    this.expression =
        jsonText || copied != NONE
            ? BoundExpression.bind(expression, schema)
            : BoundExpression.bind(expression, schema, target);
  }

  private static int copiedBlobs(Expression expression, LanceSchema table, Schema schema) {
    BoundExpression bound = BoundExpression.bind(expression, schema);
    LanceField column = ColumnCopy.of(expression, bound, table);
    return column != null && BlobV2Fields.isBlob(column) ? table.fields().indexOf(column) : NONE;
  }

  private static boolean isText(Expression expression, Schema schema) {
    ArrowType type = BoundExpression.bind(expression, schema).field("").getType();
    return type instanceof ArrowType.Utf8 || type instanceof ArrowType.LargeUtf8;
  }

  /** The position of the column in the schema. */
  int column() {
    return column;
  }

  /** The columns that a batch must have. */
  List<List<String>> columns() {
    return expression.columns();
  }

  /**
   * The values for the rows of a batch.
   *
   * @param before the columns as they are stored, blobs as {@link PendingBlobs}; borrowed
   * @return in the form that the field is stored in, or {@link PendingBlobs}; owned by the caller
   * @throws InvalidInputException if a value cannot be computed or does not fit the field
   */
  ArrayData evaluate(
      VectorSchemaRoot batch,
      DictionaryProvider dictionaries,
      List<ArrayData> before,
      BufferAllocator allocator) {
    if (copied != NONE) {
      return before.get(copied).retain();
    }
    String name = target.getName();
    int rows = batch.getRowCount();
    try (FieldVector values = expression.evaluate(name, batch, dictionaries, allocator)) {
      if (jsonText) {
        try (FieldVector stored = JsonTextColumns.encode(values, rows, target, allocator)) {
          return ArrayDataVectors.of(stored, rows, name, null);
        }
      }
      ArrayData plain = ArrayDataVectors.of(values, rows, name, null);
      if (target.getDictionary() == null && !blob) {
        return plain;
      }
      try (plain) {
        return blob
            ? PendingBlobs.ofBytes(plain, allocator)
            : DictionaryArrays.encode(target, plain, allocator);
      }
    }
  }

  /**
   * A column with the field replaced. Where a struct around the field is null, it becomes a struct
   * whose other fields are null.
   *
   * @param old the column; taken over
   * @param value of the field; taken over
   * @return owned by the caller
   */
  ArrayData apply(ArrayData old, ArrayData value, BufferAllocator allocator) {
    return replaced(top.toArrow(), 0, old, value, allocator);
  }

  private ArrayData replaced(
      Field field, int depth, ArrayData old, ArrayData value, BufferAllocator allocator) {
    if (depth == path.length) {
      old.close();
      return value;
    }
    int length = old.length();
    ArrayData[] children = new ArrayData[old.children().size()];
    try (old) {
      int[] visible = old.nullCount() == 0 ? null : visibleRows(old);
      for (int i = 0; i < children.length; i++) {
        Field child = field.getChildren().get(i);
        children[i] =
            visible == null
                ? old.child(i).retain()
                : ArrayGather.gather(child, old.child(i), visible, allocator);
      }
    }
    int changed = path[depth];
    Field child = field.getChildren().get(changed);
    children[changed] = replaced(child, depth + 1, children[changed], value, allocator);
    return new ArrayData(length, 0, new ArrowBuf[] {null}, children);
  }

  /** The rows themselves, and nulls in place of those whose struct is null. */
  private static int[] visibleRows(ArrayData struct) {
    int[] rows = new int[struct.length()];
    Arrays.setAll(rows, row -> struct.isValid(row) ? row : ArrayGather.NULL);
    return rows;
  }
}
