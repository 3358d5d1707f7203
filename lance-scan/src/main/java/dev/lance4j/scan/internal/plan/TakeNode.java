package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.read.AddressReader;
import dev.lance4j.scan.internal.read.RowReader;
import java.util.List;

/** Reads the columns of rows whose addresses are in the last column of the input. */
final class TakeNode extends BatchStep {
  private final List<OutputColumn> columns;
  private final AddressReader reader;

  /**
   * @param columns what {@code rows} gives
   * @param reader of {@code rows}
   */
  TakeNode(BatchNode input, List<OutputColumn> columns, RowReader rows, AddressReader reader) {
    super(input, rows.schema());
    this.columns = columns;
    this.reader = reader;
  }

  @Override
  public String describe() {
    return "Take " + ProjectNode.list(columns);
  }

  @Override
  ArrayBatch apply(ArrayBatch batch) {
    return reader.read(addresses(batch));
  }

  /** The addresses in the last column of a batch. */
  static long[] addresses(ArrayBatch batch) {
    ArrayData column = batch.arrays().get(batch.arrays().size() - 1);
    long[] addresses = new long[batch.rows()];
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = column.buffer(1).getLong((long) i * Long.BYTES);
    }
    return addresses;
  }
}
