package dev.lance4j.scan.internal.evaluation;

import dev.lance4j.scan.Scan;
import dev.lance4j.scan.VectorQuery;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.UInt8Vector;

/**
 * Searches for the nearest rows.
 *
 * @param scan what the searches have in common
 */
public record Search(Scan scan) {
  private static final String ROW_ID = "_rowid";

  /** The rows that a query finds, the nearest first. */
  public List<Long> rowIds(VectorQuery query) {
    List<Long> rowIds = new ArrayList<>(query.k());
    scan.nearest(query)
        .withRowId()
        .forEachBatch(
            batch -> {
              UInt8Vector ids = (UInt8Vector) batch.getVector(ROW_ID);
              for (int i = 0; i < batch.getRowCount(); i++) {
                rowIds.add(ids.get(i));
              }
            });
    return rowIds;
  }
}
