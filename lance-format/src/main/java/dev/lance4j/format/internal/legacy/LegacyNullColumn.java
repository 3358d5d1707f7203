package dev.lance4j.format.internal.legacy;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** A field of the null type, which has no page. */
final class LegacyNullColumn implements LegacyColumn {
  @Override
  public FieldRead read(List<BatchRange> parts) {
    int length = BatchRange.total(parts);
    return new FieldRead() {
      @Override
      public boolean request(RangeRequests requests) {
        return false;
      }

      @Override
      public ArrayData decode(BufferAllocator allocator) {
        return new ArrayData(length, length, new ArrowBuf[0]);
      }
    };
  }
}
