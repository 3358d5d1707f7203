package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.Bitmaps;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.RowRanges;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** The {@code some_nulls} case of {@code nullable}: a bit for each value, 1 where it is valid. */
record NullableArray(FixedWidthArray validity, PageArray values) implements PageArray {
  @Override
  public FieldRead read(RowRanges rows) {
    return new Read(validity.read(rows), values.read(rows));
  }

  private record Read(FixedWidthRead validity, FieldRead values) implements FieldRead {
    @Override
    public boolean request(RangeRequests requests) {
      boolean asked = validity.request(requests);
      return values.request(requests) || asked;
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
        ArrayData array = owned.own(values.decode(allocator));
        ByteBuffer valid = validity.bytes();
        int nulls = array.length() - Bitmaps.count(valid, 0, array.length());
        if (nulls == 0) {
          return owned.release(array);
        }
        if (array.validity() == null) {
          return owned.release(withValidity(array, owned.own(validity.toArrow(allocator)), nulls));
        }
        ArrowBuf both = intersection(array.validity(), valid, array.length(), owned);
        array.validity().close();
        int bytes = (int) Bitmaps.bytes(array.length());
        nulls = array.length() - Bitmaps.count(both.nioBuffer(0, bytes), 0, array.length());
        return owned.release(withValidity(array, both, nulls));
      }
    }

    private static ArrowBuf intersection(
        ArrowBuf bits, ByteBuffer other, int rows, OwnedBuffers owned) {
      int bytes = (int) Bitmaps.bytes(rows);
      ArrowBuf both = owned.allocate(bytes);
      for (int i = 0; i < bytes; i++) {
        both.setByte(i, bits.getByte(i) & other.get(i));
      }
      return both;
    }

    private static ArrayData withValidity(ArrayData array, ArrowBuf validity, int nulls) {
      ArrowBuf[] buffers = new ArrowBuf[array.bufferCount()];
      buffers[0] = validity;
      for (int i = 1; i < buffers.length; i++) {
        buffers[i] = array.buffer(i);
      }
      ArrayData[] children = array.children().toArray(new ArrayData[0]);
      return new ArrayData(array.length(), nulls, buffers, children, array.dictionary());
    }
  }
}
