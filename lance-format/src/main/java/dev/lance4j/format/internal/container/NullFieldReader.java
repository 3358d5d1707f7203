package dev.lance4j.format.internal.container;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.NullArrays;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.RowRanges;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** A field that the file does not hold: all null. */
final class NullFieldReader implements FieldReader {
  private final Field field;

  NullFieldReader(Field field) {
    this.field = field;
  }

  @Override
  public FieldRead read(RowRanges rows) {
    return new FieldRead() {
      @Override
      public boolean request(RangeRequests requests) {
        return false;
      }

      @Override
      public ArrayData decode(BufferAllocator allocator) {
        return NullArrays.of(field, Math.toIntExact(rows.rows()), allocator);
      }
    };
  }
}
