package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.NullArrays;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.RowRanges;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Nulls of any type, of which nothing is stored: {@code all_nulls} pages and absent fields. */
record NullArray(Field field) implements PageArray, FieldReader {
  @Override
  public FieldRead read(RowRanges rows) {
    return new Read(field, ReadLimits.count(rows.rows()));
  }

  private record Read(Field field, int rows) implements FieldRead {
    @Override
    public boolean request(RangeRequests requests) {
      return false;
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      return NullArrays.of(field, rows, allocator);
    }
  }
}
