package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.RowRanges;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The {@code binary} encoding: ends of strings, and their bytes.
 *
 * @param ends of the strings, the adjustment being the number of bytes plus 1
 * @param bytes of all strings
 * @param wide whether the Arrow offsets have 64 bits
 */
record BinaryArray(EndOffsets ends, FixedWidthArray bytes, boolean wide) implements PageArray {
  @Override
  public FieldRead read(RowRanges rows) {
    return new Read(rows);
  }

  private final class Read implements FieldRead {
    private final RowRanges rows;
    private final FixedWidthRead endsRead;
    private RowSlots slots;
    private FixedWidthRead bytesRead;

    Read(RowRanges rows) {
      this.rows = rows;
      this.endsRead = ends.read(rows);
    }

    @Override
    public boolean request(RangeRequests requests) {
      if (bytesRead != null) {
        return bytesRead.request(requests);
      }
      if (endsRead.request(requests)) {
        return true;
      }
      slots = ends.slots(rows, endsRead);
      bytesRead = bytes.read(slots.values());
      return bytesRead.request(requests);
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
        ArrowBuf validity = slots.validity(owned);
        ArrowBuf offsets = slots.offsets(wide, owned);
        ArrowBuf values = owned.own(bytesRead.toArrow(allocator));
        return owned.release(
            new ArrayData(
                slots.count(), slots.nulls(), new ArrowBuf[] {validity, offsets, values}));
      }
    }
  }
}
