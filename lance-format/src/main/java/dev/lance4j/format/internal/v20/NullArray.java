package dev.lance4j.format.internal.v20;

import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.internal.data.NullArrays;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.RowRanges;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Nulls of any type, of which nothing is stored: {@code all_nulls} pages and absent fields. */
record NullArray(Field field) implements PageArray, FieldReader {
  /** No stored bytes bound the memory that nulls take, so this does. */
  private static final long MAX_BITS = 8L << 30;

  @Override
  public FieldRead read(RowRanges rows) {
    int count = ReadLimits.count(rows.rows());
    boolean takesMemory = ArrayLayout.of(field).kind() != ArrayLayout.Kind.NULL;
    if (takesMemory && count > MAX_BITS / Math.max(Long.SIZE, PageTypes.rowBits(field))) {
      throw new UnsupportedFormatException(
          "One read would give "
              + count
              + " nulls of field '"
              + field.getName()
              + "', more than 1 GiB; read fewer rows at a time");
    }
    return new Read(field, count);
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
