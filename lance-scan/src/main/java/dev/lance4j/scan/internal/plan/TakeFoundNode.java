package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.read.AddressReader;
import dev.lance4j.scan.internal.read.RowReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Reads columns of rows whose addresses are in the last column of the input, and puts them in place
 * of the addresses.
 */
final class TakeFoundNode extends BatchStep {
  private final List<OutputColumn> columns;
  private final AddressReader reader;

  /**
   * @param columns what {@code rows} gives; may be none
   * @param reader of {@code rows}
   */
  TakeFoundNode(BatchNode input, List<OutputColumn> columns, RowReader rows, AddressReader reader) {
    super(input, schema(input, rows));
    this.columns = columns;
    this.reader = reader;
  }

  private static Schema schema(BatchNode input, RowReader rows) {
    int kept = input.schema().getFields().size() - 1;
    List<Field> fields = new ArrayList<>(input.schema().getFields().subList(0, kept));
    fields.addAll(rows.schema().getFields());
    return new Schema(fields);
  }

  @Override
  public String describe() {
    return "Take " + ProjectNode.list(columns);
  }

  @Override
  ArrayBatch apply(ArrayBatch batch) {
    int kept = batch.arrays().size() - 1;
    List<ArrayData> read =
        columns.isEmpty() ? List.of() : reader.read(TakeNode.addresses(batch)).arrays();
    List<ArrayData> arrays = new ArrayList<>(kept + read.size());
    batch.arrays().subList(0, kept).forEach(array -> arrays.add(array.retain()));
    arrays.addAll(read);
    return new ArrayBatch(batch.rows(), arrays);
  }
}
