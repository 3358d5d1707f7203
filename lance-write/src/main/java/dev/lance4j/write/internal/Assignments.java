package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.column.OutputColumns;
import dev.lance4j.scan.internal.column.VirtualColumn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Columns and the expressions that they are set to, bound to the schema of a table. All expressions
 * see the values from before. Immutable.
 */
public final class Assignments {
  private final LanceSchema schema;
  private final List<Assignment> assignments;

  private Assignments(LanceSchema schema, List<Assignment> assignments) {
    this.schema = schema;
    this.assignments = assignments;
  }

  /**
   * Binds assignments.
   *
   * @param expressions by the names of columns; dots lead to fields of struct columns
   * @throws InvalidInputException if there are none, a column does not exist or is set twice, or an
   *     expression does not fit
   */
  public static Assignments bind(LanceSchema schema, Map<String, Expression> expressions) {
    if (expressions.isEmpty()) {
      throw new InvalidInputException("No updates provided; set at least one column");
    }
    checkNotNested(schema, List.copyOf(expressions.keySet()));
    Schema usable = OutputColumns.withVirtual(schema);
    List<Assignment> assignments = new ArrayList<>();
    expressions.forEach(
        (name, expression) -> assignments.add(bind(schema, name, expression, usable)));
    return new Assignments(schema, assignments);
  }

  private static void checkNotNested(LanceSchema schema, List<String> columns) {
    for (int i = 0; i < columns.size(); i++) {
      List<String> outer = EvolvedSchema.path(schema, columns.get(i));
      for (int j = 0; j < columns.size(); j++) {
        List<String> inner = EvolvedSchema.path(schema, columns.get(j));
        boolean within =
            inner.size() >= outer.size() && inner.subList(0, outer.size()).equals(outer);
        if (i != j && within) {
          throw new InvalidInputException(
              "Both '"
                  + columns.get(i)
                  + "' and '"
                  + columns.get(j)
                  + "' are set; one contains the other");
        }
      }
    }
  }

  private static Assignment bind(
      LanceSchema schema, String name, Expression expression, Schema usable) {
    if (VirtualColumn.named(name) != null) {
      throw new InvalidInputException("Column '" + name + "' is computed and cannot be set");
    }
    List<String> names = EvolvedSchema.path(schema, name);
    LanceField top = schema.field(names.get(0));
    if (top == null) {
      throw missing(name, names.get(0), schema.fields());
    }
    int[] path = new int[names.size() - 1];
    LanceField field = top;
    for (int i = 1; i < names.size(); i++) {
      if (BlobV2Fields.isBlob(field)) {
        throw new InvalidInputException(
            "Cannot set '" + name + "': '" + field.name() + "' is a blob; set it to its bytes");
      }
      LanceField child = field.logicalType().equals("struct") ? field.child(names.get(i)) : null;
      if (child == null) {
        throw missing(name, names.get(i), field.children());
      }
      path[i - 1] = field.children().indexOf(child);
      field = child;
    }
    try {
      return new Assignment(
          schema.fields().indexOf(top), top, path, field, expression, schema, usable);
    } catch (InvalidInputException e) {
      throw new InvalidInputException(
          "Cannot set column '" + name + "' to " + expression + ": " + e.getMessage(), e);
    }
  }

  private static InvalidInputException missing(String name, String part, List<LanceField> fields) {
    return new InvalidInputException(
        "Column '"
            + name
            + "' does not exist in dataset schema: there is no '"
            + part
            + "' among "
            + fields.stream().map(LanceField::name).toList());
  }

  /** The ids of the top-level columns that are set, wholly or in part. */
  public List<Integer> fieldIds() {
    TreeSet<Integer> ids = new TreeSet<>();
    assignments.forEach(each -> ids.add(schema.fields().get(each.column()).id()));
    return List.copyOf(ids);
  }

  /** The virtual columns that the expressions use. */
  public List<VirtualColumn> virtualColumns() {
    List<VirtualColumn> columns = new ArrayList<>();
    for (Assignment assignment : assignments) {
      for (List<String> path : assignment.columns()) {
        VirtualColumn virtual = VirtualColumn.named(path.get(0));
        if (virtual != null && schema.field(path.get(0)) == null) {
          columns.add(virtual);
        }
      }
    }
    return columns;
  }

  /**
   * Replaces columns of a batch.
   *
   * @param batch the rows before, with all columns and the virtual ones in use
   * @param arrays the columns of the schema, blobs as {@link
   *     dev.lance4j.format.internal.blob.PendingBlobs}; the list and what it holds are the
   *     caller's, which closes them also when this fails
   * @throws InvalidInputException if a value cannot be computed
   */
  public void apply(
      VectorSchemaRoot batch,
      DictionaryProvider dictionaries,
      List<ArrayData> arrays,
      BufferAllocator allocator) {
    Deque<ArrayData> values = new ArrayDeque<>();
    try {
      for (Assignment assignment : assignments) {
        values.add(assignment.evaluate(batch, dictionaries, arrays, allocator));
      }
      for (Assignment assignment : assignments) {
        int column = assignment.column();
        arrays.set(column, assignment.apply(arrays.get(column), values.remove(), allocator));
      }
    } finally {
      values.forEach(ArrayData::close);
    }
  }
}
