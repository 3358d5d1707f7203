package dev.lance4j.write;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/**
 * How rows are written.
 *
 * @param allocator for rows that wait to be written
 * @param fileVersion of the data files; the table's, or the default, if absent
 * @param maxRowsPerFile a file is closed at exactly this many rows, and at 2^32 - 1 at the latest
 * @param maxBytesPerFile a file is closed after the batch that takes it to this many bytes
 * @param stableRowIds whether a new table's rows keep their ids when they move
 * @param externalBlobs whether blobs may lie in objects outside of the table and its base paths
 */
public record InsertOptions(
    BufferAllocator allocator,
    Optional<FileVersion> fileVersion,
    long maxRowsPerFile,
    long maxBytesPerFile,
    boolean stableRowIds,
    boolean externalBlobs) {
  /** The default of {@link #maxRowsPerFile}. */
  public static final long DEFAULT_MAX_ROWS_PER_FILE = 1 << 20;

  private static final long MOST_ROWS_OF_A_FILE = 0xFFFFFFFFL;

  /** The default of {@link #maxBytesPerFile}: 90 GiB. */
  public static final long DEFAULT_MAX_BYTES_PER_FILE = 90L << 30;

  public InsertOptions {
    if (maxRowsPerFile <= 0) {
      throw new InvalidInputException("maxRowsPerFile must be positive, not " + maxRowsPerFile);
    }
    maxRowsPerFile = Math.min(maxRowsPerFile, MOST_ROWS_OF_A_FILE);
    if (maxBytesPerFile <= 0) {
      throw new InvalidInputException("maxBytesPerFile must be positive, not " + maxBytesPerFile);
    }
  }

  /** Without external blobs. */
  public InsertOptions(
      BufferAllocator allocator,
      Optional<FileVersion> fileVersion,
      long maxRowsPerFile,
      long maxBytesPerFile,
      boolean stableRowIds) {
    this(allocator, fileVersion, maxRowsPerFile, maxBytesPerFile, stableRowIds, false);
  }

  /** The defaults. */
  public static InsertOptions defaults(BufferAllocator allocator) {
    return new InsertOptions(
        allocator, Optional.empty(), DEFAULT_MAX_ROWS_PER_FILE, DEFAULT_MAX_BYTES_PER_FILE, false);
  }
}
