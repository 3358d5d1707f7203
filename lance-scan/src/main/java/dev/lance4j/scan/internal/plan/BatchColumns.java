package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.BatchVectors;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Some columns of batches.
 *
 * @param positions of the columns
 * @param schema of them alone
 */
record BatchColumns(int[] positions, Schema schema) {
  /** The columns of a batch, which stays the caller's, as vectors, which must be closed. */
  BatchVectors open(ArrayBatch batch, BufferAllocator allocator) {
    List<ArrayData> arrays = new ArrayList<>(positions.length);
    for (int position : positions) {
      arrays.add(batch.arrays().get(position).retain());
    }
    return new BatchVectors(schema, new ArrayBatch(batch.rows(), arrays), allocator);
  }
}
