package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.internal.data.ArrayConcat;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayGather;
import dev.lance4j.format.internal.data.OwnedBuffers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Collects the first and the last value of each page, and how many nulls it has. */
final class LookupBuilder implements AutoCloseable {
  private final Field values;
  private final long pageRows;
  private final BufferAllocator allocator;
  private final List<ArrayData> firsts = new ArrayList<>();
  private final List<ArrayData> lasts = new ArrayList<>();
  // The last value so far, if the last page is not full.
  private ArrayData tail;
  private int[] nullCounts = new int[16];
  private long rows;

  LookupBuilder(Field values, long pageRows, BufferAllocator allocator) {
    this.values = values;
    this.pageRows = pageRows;
    this.allocator = allocator;
  }

  /** Adds the next values, which stay the caller's; at least one. */
  void add(ArrayData batch) {
    int count = batch.length();
    long firstPage = rows / pageRows;
    long pageEnd = (firstPage + 1) * pageRows;
    List<Integer> starts = new ArrayList<>();
    List<Integer> ends = new ArrayList<>();
    if (rows % pageRows == 0) {
      starts.add(0);
    }
    while (pageEnd - rows <= count) {
      ends.add((int) (pageEnd - rows) - 1);
      if (pageEnd - rows < count) {
        starts.add((int) (pageEnd - rows));
      }
      pageEnd += pageRows;
    }
    gather(batch, starts, firsts);
    gather(batch, ends, lasts);
    countNulls(batch);
    rows += count;
    keepTail(batch);
  }

  private void gather(ArrayData batch, List<Integer> rows, List<ArrayData> into) {
    if (!rows.isEmpty()) {
      int[] positions = rows.stream().mapToInt(Integer::intValue).toArray();
      into.add(ArrayGather.gather(values, batch, positions, allocator));
    }
  }

  private void countNulls(ArrayData batch) {
    int page = Math.toIntExact((rows + batch.length() - 1) / pageRows);
    if (page >= nullCounts.length) {
      nullCounts = Arrays.copyOf(nullCounts, Math.max(page + 1, 2 * nullCounts.length));
    }
    // Nulls come first.
    for (int row = 0; row < batch.length() && batch.nullCount() > 0 && !batch.isValid(row); row++) {
      nullCounts[(int) ((rows + row) / pageRows)]++;
    }
  }

  private void keepTail(ArrayData batch) {
    if (tail != null) {
      tail.close();
      tail = null;
    }
    if (rows % pageRows != 0) {
      tail = ArrayGather.gather(values, batch, new int[] {batch.length() - 1}, allocator);
    }
  }

  /** Writes an entry for each page. */
  void write(LanceFileWriter file) {
    int pages = Math.toIntExact(rows / pageRows + (rows % pageRows == 0 ? 0 : 1));
    if (pages == 0) {
      return;
    }
    if (tail != null) {
      lasts.add(tail);
      tail = null;
    }
    try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
      ArrayData min = owned.own(concat(firsts));
      ArrayData max = owned.own(concat(lasts));
      ArrayData nulls = owned.own(counts(nullCounts, pages));
      int[] numbers = new int[pages];
      Arrays.setAll(numbers, page -> page);
      ArrayData pageNumbers = owned.own(counts(numbers, pages));
      file.write(List.of(min, max, nulls, pageNumbers), pages);
    }
  }

  private ArrayData concat(List<ArrayData> parts) {
    List<ArrayData> all = List.copyOf(parts);
    parts.clear();
    return ArrayConcat.concat(values, all, allocator);
  }

  private ArrayData counts(int[] numbers, int count) {
    ArrowBuf buffer = allocator.buffer((long) count * Integer.BYTES);
    for (int i = 0; i < count; i++) {
      buffer.setInt((long) i * Integer.BYTES, numbers[i]);
    }
    return new ArrayData(count, 0, new ArrowBuf[] {null, buffer});
  }

  @Override
  public void close() {
    firsts.forEach(ArrayData::close);
    lasts.forEach(ArrayData::close);
    if (tail != null) {
      tail.close();
    }
  }
}
