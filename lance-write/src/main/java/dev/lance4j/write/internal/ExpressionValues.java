package dev.lance4j.write.internal;

import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.internal.blob.PendingBlobs;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.expr.BoundExpression;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.StoredRows;
import dev.lance4j.scan.internal.column.OutputColumns;
import dev.lance4j.table.FragmentMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
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

  /** By the name of the new column: the column that it is a copy of. */
  private final Map<String, LanceField> copies = new HashMap<>();

  private final List<String> columns;
  private final StoredRows used;

  /**
   * @param byName the expressions, in the order of the new columns
   * @throws dev.lance4j.format.InvalidInputException if one does not fit the table
   */
  public ExpressionValues(Scan.Source source, Map<String, String> byName, int batchSize) {
    this.source = source;
    LanceSchema table = source.version().manifest().schema();
    Schema usable = OutputColumns.withVirtual(table);
    Set<String> needed = new LinkedHashSet<>();
    byName.forEach(
        (name, text) -> {
          Expression expression = Expression.parse(text);
          BoundExpression bound = BoundExpression.bind(expression, usable);
          bound.columns().forEach(path -> needed.add(path.get(0)));
          expressions.put(name, bound);
          LanceField copied = ColumnCopy.of(expression, bound, table);
          if (copied != null) {
            copies.put(name, copied);
          }
        });
    this.columns = List.copyOf(needed);
    this.used = StoredRows.columns(source, columns, batchSize);
  }

  /** The new columns, nullable where the expressions may give null. */
  public Schema schema() {
    List<Field> fields = new ArrayList<>();
    expressions.forEach((name, bound) -> fields.add(field(name, bound)));
    return new Schema(fields);
  }

  private Field field(String name, BoundExpression bound) {
    LanceField copied = copies.get(name);
    Field field = isBlob(name) ? copied.toArrow() : bound.field(name);
    Map<String, String> metadata = copied == null ? null : ColumnCopy.valueMetadata(copied);
    return new Field(
        name,
        new FieldType(bound.isNullable(), field.getType(), null, metadata),
        field.getChildren());
  }

  private boolean isBlob(String name) {
    return copies.containsKey(name) && BlobV2Fields.isBlob(copies.get(name));
  }

  /** Whether all columns are null in every row. */
  public boolean areNull() {
    return expressions.values().stream().allMatch(BoundExpression::isNull);
  }

  @Override
  public boolean arePendingBlobs() {
    return true;
  }

  // Those that are copied were allowed when they were given.
  @Override
  public boolean mayBeExternal() {
    return true;
  }

  @Override
  public void write(FragmentMetadata fragment, ColumnFileWriter writer) {
    StoredRows rows = used.in(fragment);
    KeptBatches batches = new KeptBatches(rows.open());
    try (ArrayBatchReader reader =
        new ArrayBatchReader(source.allocator(), rows.schema(), batches)) {
      int count = rows.schema().getFields().size();
      while (reader.loadNextBatch()) {
        List<ArrayData> stored = batches.take(count);
        List<ArrayData> arrays = new ArrayList<>();
        try {
          evaluate(reader, fragment.id(), stored, arrays);
          writer.write(arrays, reader.getVectorSchemaRoot().getRowCount());
        } finally {
          arrays.forEach(ArrayData::close);
          stored.forEach(ArrayData::close);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void evaluate(
      ArrayBatchReader reader, long fragmentId, List<ArrayData> stored, List<ArrayData> arrays)
      throws IOException {
    VectorSchemaRoot batch = reader.getVectorSchemaRoot();
    int rows = batch.getRowCount();
    for (Map.Entry<String, BoundExpression> entry : expressions.entrySet()) {
      String name = entry.getKey();
      if (isBlob(name)) {
        LanceField copied = copies.get(name);
        long[] fragmentIds = new long[rows];
        Arrays.fill(fragmentIds, fragmentId);
        arrays.add(
            PendingBlobs.ofStored(
                stored.get(columns.indexOf(copied.name())),
                copied,
                fragmentIds,
                source.allocator()));
      } else {
        try (FieldVector vector =
            entry.getValue().evaluate(name, batch, reader, source.allocator())) {
          arrays.add(ArrayDataVectors.of(vector, rows, name, null));
        }
      }
    }
  }
}
