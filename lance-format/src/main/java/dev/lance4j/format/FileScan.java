package dev.lance4j.format;

import dev.lance4j.format.internal.container.FileBatches;
import dev.lance4j.format.internal.container.FileProjection;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceSchema;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/** A description of what to read of a file. Immutable: each method returns a refined copy. */
public final class FileScan {
  /** The number of rows in a batch unless asked otherwise. */
  public static final int DEFAULT_BATCH_SIZE = 8192;

  private final LanceFileReader file;
  private final LanceSchema projection;
  private final boolean absentAsNull;
  private final RowRanges ranges;
  private final long[] rows;
  private final int batchSize;

  FileScan(LanceFileReader file) {
    this(file, file.schema(), false, RowRanges.of(0, file.rowCount()), null, DEFAULT_BATCH_SIZE);
  }

  private FileScan(
      LanceFileReader file,
      LanceSchema projection,
      boolean absentAsNull,
      RowRanges ranges,
      long[] rows,
      int batchSize) {
    this.file = file;
    this.projection = projection;
    this.absentAsNull = absentAsNull;
    this.ranges = ranges;
    this.rows = rows;
    this.batchSize = batchSize;
  }

  /**
   * Only these columns, in this order; {@code a.b} reads only that part of {@code a}.
   *
   * @throws InvalidInputException if there is no such column, or none is named
   */
  public FileScan select(String... columns) {
    if (columns.length == 0) {
      throw new InvalidInputException("Name at least one column to read");
    }
    return select(file.schema().project(List.of(columns)));
  }

  /** Only the fields of a schema, which are matched with the file's by id. */
  public FileScan select(LanceSchema fields) {
    return new FileScan(file, fields, absentAsNull, ranges, rows, batchSize);
  }

  /** Reads fields that the file does not have as nulls, instead of refusing them. */
  public FileScan absentAsNull() {
    return new FileScan(file, projection, true, ranges, rows, batchSize);
  }

  /**
   * Only the rows from {@code start} (inclusive) to {@code end} (exclusive).
   *
   * @throws InvalidInputException if they are not all in the file
   */
  public FileScan range(long start, long end) {
    if (start < 0 || end < start || end > file.rowCount()) {
      throw new InvalidInputException(
          String.format(
              "Cannot read rows %d to %d of %s, which has %d",
              start, end, file.path(), file.rowCount()));
    }
    return new FileScan(file, projection, absentAsNull, RowRanges.of(start, end), null, batchSize);
  }

  /**
   * Only these rows, in this order, repeated where they are.
   *
   * @throws InvalidInputException if one is not in the file
   */
  public FileScan rows(long... positions) {
    for (long position : positions) {
      if (position < 0 || position >= file.rowCount()) {
        throw new InvalidInputException(
            String.format(
                "Cannot read row %d of %s, which has %d", position, file.path(), file.rowCount()));
      }
    }
    return new FileScan(file, projection, absentAsNull, ranges, positions.clone(), batchSize);
  }

  /**
   * At most this many rows in a batch.
   *
   * @throws InvalidInputException unless it is positive
   */
  public FileScan batchSize(int maxRows) {
    if (maxRows <= 0) {
      throw new InvalidInputException("The batch size must be positive, not " + maxRows);
    }
    return new FileScan(file, projection, absentAsNull, ranges, rows, maxRows);
  }

  /** The schema of the batches. */
  public Schema schema() {
    return projection.toArrow();
  }

  /**
   * Starts reading.
   *
   * @param allocator where the batches come from; must outlive the reader
   */
  public ArrowReader open(BufferAllocator allocator) {
    FileProjection fields = file.projection(projection, absentAsNull);
    FileBatches batches =
        rows == null
            ? FileBatches.ofRanges(fields, ranges, batchSize, allocator)
            : FileBatches.ofRows(fields, rows, batchSize, allocator);
    return new ArrayBatchReader(allocator, schema(), batches);
  }
}
