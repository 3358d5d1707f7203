package dev.lance4j.write.internal.merge;

import dev.lance4j.format.store.StoreLocation;
import java.util.List;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * How much memory a merge may take for the rows that it holds, and where the others wait.
 *
 * @param allocator of all memory that is not on the heap
 * @param budget in bytes
 * @param spill the directory of temporary files
 */
record MergeMemory(BufferAllocator allocator, long budget, StoreLocation spill) {
  // Rows are joined and copied while they are held, and files are written beside them.
  private static final int SHARE_OF_ROWS = 8;
  private static final long MOST_BYTES = 1L << 30;

  /** The most bytes of source rows that are held at once. */
  long heldBytes() {
    return Math.max(1, Math.min(budget / SHARE_OF_ROWS, MOST_BYTES));
  }

  SpillFile newFile(List<Field> fields) {
    String path = spill.path() + "/lance4j-merge-" + UUID.randomUUID() + ".spill";
    return new SpillFile(spill.store(), path, fields);
  }
}
