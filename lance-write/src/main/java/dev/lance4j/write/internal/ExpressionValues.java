package dev.lance4j.write.internal;

import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.expr.BoundExpression;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.StoredRows;
import dev.lance4j.scan.internal.column.OutputColumns;
import dev.lance4j.table.FragmentMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Columns that are computed from others by expressions. */
public final class ExpressionValues implements ColumnValues {
  private final Scan.Source source;
  private final Map<String, BoundExpression> expressions = new LinkedHashMap<>();
  private final StoredRows used;

  /**
   * @param byName the expressions, in the order of the new columns
   * @throws dev.lance4j.format.InvalidInputException if one does not fit the table
   */
  public ExpressionValues(Scan.Source source, Map<String, String> byName, int batchSize) {
    this.source = source;
    Schema table = OutputColumns.withVirtual(source.version().manifest().schema());
    Set<String> columns = new LinkedHashSet<>();
    byName.forEach(
        (name, text) -> {
          BoundExpression bound = BoundExpression.bind(Expression.parse(text), table);
          bound.columns().forEach(path -> columns.add(path.get(0)));
          expressions.put(name, bound);
        });
    this.used = StoredRows.columns(source, List.copyOf(columns), batchSize);
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
    StoredRows rows = used.in(fragment);
    try (ArrayBatchReader reader =
        new ArrayBatchReader(source.allocator(), rows.schema(), rows.open())) {
      VectorSchemaRoot batch = reader.getVectorSchemaRoot();
      while (reader.loadNextBatch()) {
        List<ArrayData> arrays = VectorArrays.take(evaluate(batch, reader), batch.getRowCount());
        try {
          writer.write(arrays, batch.getRowCount());
        } finally {
          arrays.forEach(ArrayData::close);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<FieldVector> evaluate(VectorSchemaRoot batch, ArrayBatchReader dictionaries) {
    List<FieldVector> vectors = new ArrayList<>();
    boolean complete = false;
    try {
      for (Map.Entry<String, BoundExpression> entry : expressions.entrySet()) {
        vectors.add(
            entry.getValue().evaluate(entry.getKey(), batch, dictionaries, source.allocator()));
      }
      complete = true;
      return vectors;
    } finally {
      if (!complete) {
        vectors.forEach(FieldVector::close);
      }
    }
  }
}
