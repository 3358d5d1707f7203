package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.RowRanges;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The {@code fixed_size_binary} encoding of strings that all have the same length.
 *
 * @param byteWidth the length of each, above 0
 * @param wide whether the Arrow offsets have 64 bits
 */
record FixedSizeBinaryArray(FixedWidthArray values, int byteWidth, boolean wide)
    implements PageArray {
  @Override
  public FieldRead read(RowRanges rows) {
    return new Read(ReadLimits.count(rows.rows()), values.read(rows));
  }

  private final class Read implements FieldRead {
    private final int count;
    private final FixedWidthRead valuesRead;

    Read(int count, FixedWidthRead valuesRead) {
      this.count = count;
      this.valuesRead = valuesRead;
    }

    @Override
    public boolean request(RangeRequests requests) {
      return valuesRead.request(requests);
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      int[] lengths = new int[count];
      Arrays.fill(lengths, byteWidth);
      RowSlots slots = new RowSlots(new long[count], lengths, 0);
      try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
        ArrowBuf offsets = slots.offsets(wide, owned);
        ArrowBuf bytes = owned.own(valuesRead.toArrow(allocator));
        return owned.release(new ArrayData(count, 0, new ArrowBuf[] {null, offsets, bytes}));
      }
    }
  }
}
