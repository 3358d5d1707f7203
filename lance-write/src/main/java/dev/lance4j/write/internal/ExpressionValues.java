package dev.lance4j.write.internal;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.expr.BoundExpression;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.StoredRows;
import dev.lance4j.scan.internal.column.OutputColumns;
import dev.lance4j.scan.internal.plan.Selection;
import dev.lance4j.table.FragmentMetadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Columns that are computed from others by expressions. */
public final class ExpressionValues implements ColumnValues {
  private final Map<String, BoundExpression> expressions = new LinkedHashMap<>();
  private final StoredRows rows;

  /**
   * @param byName the expressions, in the order of the new columns
   * @throws dev.lance4j.format.InvalidInputException if one does not fit the table
   */
  public ExpressionValues(Scan.Source source, Map<String, String> byName, int batchSize) {
    Schema table = OutputColumns.withVirtual(source.version().manifest().schema());
    List<Selection.Item> columns = new ArrayList<>();
    byName.forEach(
        (name, text) -> {
          Expression expression = Expression.parse(text);
          expressions.put(name, BoundExpression.bind(expression, table));
          columns.add(new Selection.Item(name, null, expression));
        });
    this.rows = StoredRows.of(source, columns, batchSize);
  }

  /** The new columns, nullable where the expressions may give null. */
  public Schema schema() {
    List<Field> fields = new ArrayList<>();
    expressions.forEach(
        (name, bound) -> {
          Field field = bound.field(name);
          fields.add(
              new Field(
                  name,
                  new FieldType(bound.isNullable(), field.getType(), null),
                  field.getChildren()));
        });
    return new Schema(fields);
  }

  /** Whether all columns are null in every row. */
  public boolean areNull() {
    return expressions.values().stream().allMatch(BoundExpression::isNull);
  }

  @Override
  public void write(FragmentMetadata fragment, ColumnFileWriter writer) {
    try (ArrayBatchReader.Source batches = rows.in(fragment).open()) {
      for (ArrayBatch batch = batches.next(); batch != null; batch = batches.next()) {
        try (ArrayBatch values = batch) {
          writer.write(values.arrays(), values.rows());
        }
      }
    }
  }
}
