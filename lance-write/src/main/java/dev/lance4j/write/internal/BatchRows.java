package dev.lance4j.write.internal;

import dev.lance4j.scan.Scan;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import java.util.List;

/** How many rows to hold in memory at once. */
public final class BatchRows {
  /** The bytes of a batch unless there is less memory. */
  public static final long TARGET_BYTES = 16 << 20;

  private BatchRows() {}

  /** The number of whole rows of some fragments that take about 16 MiB in their files. */
  public static int of(List<FragmentMetadata> fragments) {
    return of(fragments, TARGET_BYTES);
  }

  /** The number of whole rows of some fragments that take about so many bytes in their files. */
  public static int of(List<FragmentMetadata> fragments, long targetBytes) {
    long rows = Scan.DEFAULT_BATCH_SIZE;
    for (FragmentMetadata fragment : fragments) {
      long bytes = fragment.files().stream().mapToLong(DataFile::sizeBytes).sum();
      if (bytes > 0 && fragment.physicalRows() > 0) {
        long bytesPerRow = Math.max(1, bytes / fragment.physicalRows());
        rows = Math.min(rows, Math.max(1, targetBytes / bytesPerRow));
      }
    }
    return (int) rows;
  }
}
