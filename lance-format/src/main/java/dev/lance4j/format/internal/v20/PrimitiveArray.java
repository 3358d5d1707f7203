package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.RowRanges;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** An array of a fixed-width type without nulls. */
record PrimitiveArray(FixedWidthArray values) implements PageArray {
  @Override
  public FieldRead read(RowRanges rows) {
    return new Read(ReadLimits.count(rows.rows()), values.read(rows));
  }

  private record Read(int rows, FixedWidthRead values) implements FieldRead {
    @Override
    public boolean request(RangeRequests requests) {
      return values.request(requests);
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      return new ArrayData(rows, 0, new ArrowBuf[] {null, values.toArrow(allocator)});
    }
  }
}
