package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.schema.FieldPath;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.StoredRows;
import dev.lance4j.table.FragmentMetadata;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/** The keys of the rows of a table, batch by batch, which rows of another side are joined to. */
final class LeftKeys {
  private final StoredRows rows;

  /** Takes the keys of a batch, which stay the caller's. */
  interface Consumer {
    void accept(ArrayData keys);
  }

  /**
   * @param column a top-level column, {@code _rowid} or {@code _rowaddr}
   * @throws InvalidInputException if there is no such column
   */
  LeftKeys(Scan.Source source, String column, int batchSize) {
    LanceSchema table = source.version().manifest().schema();
    if (table.field(column) == null && FieldPath.parse(column).size() > 1) {
      throw new InvalidInputException(
          "'" + column + "' is inside of another column and cannot be a join key");
    }
    this.rows = StoredRows.columns(source, List.of(column), batchSize);
  }

  /** The column. */
  Field field() {
    return rows.schema().getFields().get(0);
  }

  /** Calls back with the keys of all live rows of a fragment, in their order. */
  void forEach(FragmentMetadata fragment, Consumer consumer) {
    try (ArrayBatchReader.Source batches = rows.in(fragment).open()) {
      for (ArrayBatch batch = batches.next(); batch != null; batch = batches.next()) {
        try (ArrayBatch keys = batch) {
          consumer.accept(keys.arrays().get(0));
        }
      }
    }
  }
}
