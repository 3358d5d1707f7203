package dev.lance4j.scan.internal.read;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.internal.data.BatchVectors;
import dev.lance4j.format.internal.data.StructField;
import dev.lance4j.format.internal.json.MalformedJsonbException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.expr.BoundExpression;
import dev.lance4j.scan.internal.BlobBytes;
import dev.lance4j.scan.internal.column.ColumnNeed;
import dev.lance4j.scan.internal.column.JsonColumn;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.column.ReadColumns;
import dev.lance4j.scan.internal.column.VirtualColumn;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Schema;

/** Makes output columns out of what was read. Safe for use by many threads. */
public final class Outputs {
  private final List<OutputColumn> columns;
  private final List<Source> sources;
  private final Schema schema;
  private final BitSet slots = new BitSet();

  /** Where an output column comes from. */
  private interface Source {
    /** The column, owned by the caller. */
    ArrayData read(RowBatch rows, BufferAllocator allocator);
  }

  /**
   * @param read has all that the columns {@linkplain #needs need}
   */
  public Outputs(List<OutputColumn> columns, LanceSchema table, ReadColumns read) {
    this.columns = List.copyOf(columns);
    this.sources = new ArrayList<>(columns.size());
    for (OutputColumn column : columns) {
      needs(column, table).forEach(need -> slots.set(read.find(need)));
      sources.add(source(column, table, read));
    }
    this.schema = new Schema(columns.stream().map(OutputColumn::field).toList(), table.metadata());
  }

  /** What must be read for some columns. */
  public static List<ColumnNeed> needs(List<OutputColumn> columns, LanceSchema table) {
    List<ColumnNeed> needs = new ArrayList<>();
    columns.forEach(column -> needs.addAll(needs(column, table)));
    return needs;
  }

  private static List<ColumnNeed> needs(OutputColumn column, LanceSchema table) {
    if (column instanceof OutputColumn.Part part) {
      return List.of(part.need());
    }
    if (column instanceof OutputColumn.Distance distance) {
      return List.of(distance.vectors().need());
    }
    return column instanceof OutputColumn.Computed computed
        ? ColumnNeed.ofStored(computed.expression().columns(), table)
        : List.of();
  }

  private static Source source(OutputColumn column, LanceSchema table, ReadColumns read) {
    if (column instanceof OutputColumn.Distance distance) {
      Source vectors = source(distance.vectors(), table, read);
      return (rows, allocator) -> {
        try (ArrayData values = vectors.read(rows, allocator)) {
          return distance.distances().measure(values, allocator);
        }
      };
    }
    if (column instanceof OutputColumn.Part part) {
      int slot = read.find(part.need());
      LanceField field = read.field(slot);
      int[] below = new int[part.below().size()];
      for (int i = 0; i < below.length; i++) {
        LanceField child = field.child(part.below().get(i));
        below[i] = field.children().indexOf(child);
        field = child;
      }
      return new FromSlot(slot, below, field, part.change());
    }
    if (column instanceof OutputColumn.Computed computed) {
      BoundExpression expression = computed.expression();
      return new FromExpression(expression, ExpressionInput.of(expression.columns(), table, read));
    }
    return new FromPlace(((OutputColumn.Place) column).column());
  }

  /**
   * A slot or a field in it.
   *
   * @param field what is read
   * @param change what is made of it
   */
  private record FromSlot(int slot, int[] below, LanceField field, OutputColumn.Change change)
      implements Source {
    @Override
    public ArrayData read(RowBatch rows, BufferAllocator allocator) {
      ArrayData values = StructField.extract(rows.array(slot), below, allocator);
      if (change == OutputColumn.Change.NONE) {
        return values;
      }
      try (values) {
        return change == OutputColumn.Change.JSON_TEXT
            ? JsonColumn.toText(field, values, allocator)
            : new BlobBytes(rows.source(), rows.fragment().metadata()).read(field, values);
      } catch (MalformedJsonbException e) {
        throw JsonColumn.corrupt(rows.source(), rows.fragment().metadata(), field, e);
      }
    }
  }

  private record FromPlace(VirtualColumn column) implements Source {
    @Override
    public ArrayData read(RowBatch rows, BufferAllocator allocator) {
      return rows.virtual(column);
    }
  }

  private record FromExpression(BoundExpression expression, ExpressionInput input)
      implements Source {
    @Override
    public ArrayData read(RowBatch rows, BufferAllocator allocator) {
      try (BatchVectors vectors = input.open(rows);
          FieldVector values =
              expression.evaluate("", vectors.root(), vectors.dictionaries(), allocator)) {
        return ArrayDataVectors.of(values, rows.rows(), expression.toString(), null);
      } catch (MalformedJsonbException e) {
        throw input.corrupt(rows, e);
      }
    }
  }

  public List<OutputColumn> columns() {
    return columns;
  }

  /** The schema of the batches. */
  public Schema schema() {
    return schema;
  }

  /** Whether a slot is used by a column. */
  public boolean uses(int slot) {
    return slots.get(slot);
  }

  /** The columns of some rows, owned by the caller. */
  public ArrayBatch read(RowBatch rows) {
    BufferAllocator allocator = rows.source().allocator();
    List<ArrayData> arrays = new ArrayList<>(sources.size());
    boolean complete = false;
    try {
      for (Source source : sources) {
        arrays.add(source.read(rows, allocator));
      }
      complete = true;
      return new ArrayBatch(rows.rows(), arrays);
    } finally {
      if (!complete) {
        arrays.forEach(ArrayData::close);
      }
    }
  }
}
