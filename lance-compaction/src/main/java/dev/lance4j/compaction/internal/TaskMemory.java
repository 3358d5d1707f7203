package dev.lance4j.compaction.internal;

import dev.lance4j.scan.Scan;
import dev.lance4j.write.internal.BatchRows;
import org.apache.arrow.memory.BufferAllocator;

/**
 * How much of an allocator's memory a task gives to what. A batch takes more than its bytes in the
 * file while it is read, and again as pages that wait to be written.
 *
 * @param bytes that the task may take
 */
public record TaskMemory(long bytes) {
  private static final int READ_AHEAD_SHARE = 8;
  private static final int BATCH_SHARE = 16;

  /** What an allocator has left, in equal parts for tasks that run at once. */
  public static TaskMemory of(BufferAllocator allocator, int tasks) {
    return new TaskMemory(allocator.getHeadroom() / Math.max(1, tasks));
  }

  long readAheadBytes() {
    return Math.min(Scan.DEFAULT_READ_AHEAD_BYTES, bytes / READ_AHEAD_SHARE);
  }

  long batchBytes() {
    return Math.min(BatchRows.TARGET_BYTES, bytes / BATCH_SHARE);
  }
}
