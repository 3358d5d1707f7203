package dev.lance4j.write;

import org.apache.arrow.vector.VectorSchemaRoot;

/** Computes the values of new columns from batches of a table. */
@FunctionalInterface
public interface BatchFunction {
  /**
   * The values for the rows of a batch.
   *
   * @param batch the columns that were asked for, as scans give them; valid only during the call
   * @return as many rows in the same order, of the schema that was announced; closed when they are
   *     written
   */
  VectorSchemaRoot apply(VectorSchemaRoot batch);
}
