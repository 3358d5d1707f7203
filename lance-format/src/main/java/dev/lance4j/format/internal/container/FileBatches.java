package dev.lance4j.format.internal.container;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayGather;
import dev.lance4j.format.internal.page.RowRanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

/** Cuts the rows asked of one file into batches. */
public final class FileBatches implements ArrayBatchReader.Source {
  private final FileProjection fields;
  private final RowRanges ranges;
  private final long[] rows;
  private final int batchSize;
  private final BufferAllocator allocator;
  private long done;

  private FileBatches(
      FileProjection fields,
      RowRanges ranges,
      long[] rows,
      int batchSize,
      BufferAllocator allocator) {
    this.fields = fields;
    this.ranges = ranges;
    this.rows = rows;
    this.batchSize = batchSize;
    this.allocator = allocator;
  }

  /** Batches of ascending ranges. */
  public static FileBatches ofRanges(
      FileProjection fields, RowRanges ranges, int batchSize, BufferAllocator allocator) {
    return new FileBatches(fields, ranges, null, batchSize, allocator);
  }

  /** Batches of single rows in any order. */
  public static FileBatches ofRows(
      FileProjection fields, long[] rows, int batchSize, BufferAllocator allocator) {
    return new FileBatches(fields, null, rows, batchSize, allocator);
  }

  @Override
  public ArrayBatch next() {
    long total = rows == null ? ranges.rows() : rows.length;
    if (done >= total) {
      return null;
    }
    long count = Math.min(batchSize, total - done);
    List<ArrayData> arrays =
        rows == null
            ? fields.read(ranges.select(done, count), allocator)
            : take(fields, Arrays.copyOfRange(rows, (int) done, (int) (done + count)), allocator);
    done += count;
    return new ArrayBatch((int) count, arrays);
  }

  /**
   * Reads rows in any order, reading each only once.
   *
   * @param rows of the file, inside it
   * @return one array for each field, owned by the caller
   */
  public static List<ArrayData> take(
      FileProjection fields, long[] rows, BufferAllocator allocator) {
    long[] sorted = rows.clone();
    Arrays.sort(sorted);
    int distinct = 0;
    for (int i = 0; i < sorted.length; i++) {
      if (i == 0 || sorted[i] != sorted[i - 1]) {
        sorted[distinct++] = sorted[i];
      }
    }
    sorted = Arrays.copyOf(sorted, distinct);
    List<ArrayData> arrays = fields.read(RowRanges.ofSortedRows(sorted), allocator);
    if (Arrays.equals(sorted, rows)) {
      return arrays;
    }
    int[] positions = new int[rows.length];
    for (int i = 0; i < rows.length; i++) {
      positions[i] = Arrays.binarySearch(sorted, rows[i]);
    }
    List<ArrayData> gathered = new ArrayList<>(arrays.size());
    boolean complete = false;
    try {
      for (int i = 0; i < arrays.size(); i++) {
        gathered.add(
            ArrayGather.gather(fields.fields().get(i), arrays.get(i), positions, allocator));
      }
      complete = true;
      return gathered;
    } catch (OutOfMemoryException e) {
      throw fields.tooLarge(rows.length, e);
    } finally {
      arrays.forEach(ArrayData::close);
      if (!complete) {
        gathered.forEach(ArrayData::close);
      }
    }
  }

  @Override
  public void close() {}
}
