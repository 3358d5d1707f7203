package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.RowRanges;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** The {@code fixed_size_list} encoding: the same number of items for each row, null or not. */
record FixedSizeListArray(int dimension, PageArray items) implements PageArray {
  @Override
  public FieldRead read(RowRanges rows) {
    long[] starts = new long[rows.size()];
    long[] ends = new long[rows.size()];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = Math.multiplyExact(rows.start(i), dimension);
      ends[i] = Math.multiplyExact(rows.end(i), dimension);
    }
    return new Read(ReadLimits.count(rows.rows()), items.read(RowRanges.of(starts, ends)));
  }

  private record Read(int rows, FieldRead items) implements FieldRead {
    @Override
    public boolean request(RangeRequests requests) {
      return items.request(requests);
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      return new ArrayData(rows, 0, new ArrowBuf[] {null}, items.decode(allocator));
    }
  }
}
