package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.RowRanges;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Strings as the first writers stored them: lists of bytes, the bytes in a column without a field.
 *
 * @param lists reads them as lists with offsets of the width of the strings'
 */
record BytesListColumn(ListColumn lists) implements FieldReader {
  @Override
  public FieldRead read(RowRanges rows) {
    return new Read(lists.read(rows));
  }

  private record Read(FieldRead lists) implements FieldRead {
    @Override
    public boolean request(RangeRequests requests) {
      return lists.request(requests);
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      try (ArrayData list = lists.decode(allocator)) {
        ArrowBuf[] buffers = {list.buffer(0), list.buffer(1), list.child(0).buffer(1)};
        for (ArrowBuf buffer : buffers) {
          if (buffer != null) {
            buffer.getReferenceManager().retain();
          }
        }
        return new ArrayData(list.length(), list.nullCount(), buffers);
      }
    }
  }
}
