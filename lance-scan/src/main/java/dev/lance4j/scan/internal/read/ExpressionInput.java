package dev.lance4j.scan.internal.read;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.BatchVectors;
import dev.lance4j.format.internal.json.MalformedJsonbException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.internal.column.ColumnNeed;
import dev.lance4j.scan.internal.column.JsonColumn;
import dev.lance4j.scan.internal.column.ReadColumns;
import dev.lance4j.scan.internal.column.VirtualColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** The columns that an expression is evaluated on, stored ones from their slots. */
public final class ExpressionInput {
  private final int[] slots;
  private final List<VirtualColumn> virtuals;
  private final Schema schema;
  private final List<LanceField> json;

  private ExpressionInput(
      int[] slots, List<VirtualColumn> virtuals, Schema schema, List<LanceField> json) {
    this.slots = slots;
    this.virtuals = virtuals;
    this.schema = schema;
    this.json = json;
  }

  /**
   * Finds the columns.
   *
   * @param paths that the expression uses, each as the names from a top-level column down
   * @param columns what is read, the paths included
   */
  public static ExpressionInput of(
      List<List<String>> paths, LanceSchema table, ReadColumns columns) {
    List<ColumnNeed> needs = ColumnNeed.ofStored(paths, table);
    int[] slots = needs.stream().mapToInt(columns::find).toArray();
    List<Field> fields = new ArrayList<>();
    for (int slot : slots) {
      fields.add(columns.field(slot).toArrow());
    }
    Set<VirtualColumn> virtuals = new LinkedHashSet<>();
    for (List<String> path : paths) {
      if (table.field(path.get(0)) == null) {
        virtuals.add(VirtualColumn.named(path.get(0)));
      }
    }
    virtuals.forEach(column -> fields.add(column.field()));
    List<LanceField> json =
        Arrays.stream(slots).mapToObj(columns::field).filter(JsonColumn::isJson).toList();
    return new ExpressionInput(slots, List.copyOf(virtuals), new Schema(fields), json);
  }

  /** The error for a value that is not the binary JSON that a column of the input should hold. */
  public RuntimeException corrupt(RowBatch rows, MalformedJsonbException cause) {
    return json.isEmpty()
        ? cause
        : JsonColumn.corrupt(rows.source(), rows.fragment().metadata(), json.get(0), cause);
  }

  /** The columns of a batch as vectors, which must be closed. */
  public BatchVectors open(RowBatch rows) {
    List<ArrayData> arrays = new ArrayList<>(slots.length + virtuals.size());
    boolean complete = false;
    try {
      for (int slot : slots) {
        arrays.add(rows.array(slot).retain());
      }
      for (VirtualColumn column : virtuals) {
        arrays.add(rows.virtual(column));
      }
      complete = true;
    } finally {
      if (!complete) {
        arrays.forEach(ArrayData::close);
      }
    }
    return new BatchVectors(schema, new ArrayBatch(rows.rows(), arrays), rows.source().allocator());
  }
}
