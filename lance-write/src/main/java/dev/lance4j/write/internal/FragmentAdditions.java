package dev.lance4j.write.internal;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Manifest;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.NewColumns;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.arrow.vector.types.pojo.Schema;

/** Adds columns to all fragments of a version, or to one of them. Used once. */
public final class FragmentAdditions {
  private final Scan.Source source;
  private final int batchSize;
  private LanceSchema schema;

  public FragmentAdditions(Scan.Source source, int batchSize) {
    this.source = source;
    this.batchSize = batchSize;
  }

  /** The schema afterwards, once columns were added. */
  public LanceSchema schema() {
    return schema;
  }

  /** All fragments with new columns. */
  public List<FragmentMetadata> addAll(NewColumns columns) {
    return add(columns, manifest().fragments(), ColumnAdder::addAll);
  }

  /** One fragment with new columns; rows from elsewhere are those of the fragment. */
  public FragmentMetadata add(FragmentMetadata fragment, NewColumns columns) {
    return add(columns, fragment, (adder, values) -> adder.add(fragment, values));
  }

  /** All fragments with columns that are found by a key. */
  public List<FragmentMetadata> joinAll(BatchSource right, String leftOn, String rightOn) {
    return join(right, leftOn, rightOn, ColumnAdder::addAll);
  }

  /** One fragment with columns that are found by a key. */
  public FragmentMetadata join(
      FragmentMetadata fragment, BatchSource right, String leftOn, String rightOn) {
    return join(right, leftOn, rightOn, (adder, values) -> adder.add(fragment, values));
  }

  private Manifest manifest() {
    return source.version().manifest();
  }

  /** What is done with an adder. */
  private interface Adding<T> extends BiFunction<ColumnAdder, ColumnValues, T> {}

  private <T> T add(NewColumns columns, T unchanged, Adding<T> adding) {
    if (columns instanceof NewColumns.Nulls nulls) {
      return nulls(nulls.schema(), unchanged);
    } else if (columns instanceof NewColumns.Expressions expressions) {
      ExpressionValues values = new ExpressionValues(source, expressions.byName(), batchSize);
      return values.areNull()
          ? nulls(values.schema(), unchanged)
          : adding.apply(adder(fields(values.schema())), values);
    } else if (columns instanceof NewColumns.Computed computed) {
      LanceSchema fields = fields(computed.schema());
      return adding.apply(adder(fields), new ComputedValues(source, computed, fields, batchSize));
    }
    NewColumns.Rows rows = (NewColumns.Rows) columns;
    LanceSchema fields = fields(rows.source().schema());
    try (RowValues values = new RowValues(rows, fields, source.allocator())) {
      return adding.apply(adder(fields), values);
    }
  }

  private <T> T join(BatchSource right, String leftOn, String rightOn, Adding<T> adding) {
    LanceSchema fields = fields(JoinedRows.withoutKey(right.schema(), rightOn));
    try (JoinedValues values =
        new JoinedValues(source, right, leftOn, rightOn, fields, batchSize)) {
      return adding.apply(adder(fields), values);
    }
  }

  private LanceSchema fields(Schema columns) {
    LanceSchema fields = EvolvedSchema.newFields(manifest(), columns);
    schema = EvolvedSchema.with(manifest(), fields);
    return fields;
  }

  private ColumnAdder adder(LanceSchema fields) {
    return new ColumnAdder(source, fields, schema);
  }

  private <T> T nulls(Schema columns, T unchanged) {
    LanceSchema fields = fields(columns);
    for (LanceField field : fields.flatten()) {
      if (!field.nullable()) {
        throw new InvalidInputException(
            "All-null columns must be nullable, but '" + field.name() + "' is not");
      }
    }
    if (manifest().storageVersion() == FileVersion.V0_1) {
      throw new UnsupportedFormatException(
          "Cannot add all-null columns to a table of the legacy version 0.1");
    }
    return unchanged;
  }
}
