package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.GrowableBuffer;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.kernel.FsstTable;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.RowRanges;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The {@code fsst} encoding: strings whose bytes are codes of a symbol table.
 *
 * @param coded the strings as stored
 * @param table the symbols; its switch is on
 * @param wide whether the Arrow offsets have 64 bits
 */
record FsstArray(BinaryArray coded, FsstTable table, boolean wide) implements PageArray {
  /** A code byte gives at most 8 bytes. */
  private static final int LONGEST_SYMBOL = 8;

  @Override
  public FieldRead read(RowRanges rows) {
    return new Read(coded.read(rows));
  }

  private final class Read implements FieldRead {
    private final FieldRead codedRead;

    Read(FieldRead codedRead) {
      this.codedRead = codedRead;
    }

    @Override
    public boolean request(RangeRequests requests) {
      return codedRead.request(requests);
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      try (ArrayData codes = codedRead.decode(allocator)) {
        return decode(codes, allocator);
      }
    }

    private ArrayData decode(ArrayData codes, BufferAllocator allocator) {
      int count = codes.length();
      int[] lengths = new int[count];
      try (OwnedBuffers owned = new OwnedBuffers(allocator);
          GrowableBuffer text = new GrowableBuffer(allocator, 2 * codes.buffer(2).capacity())) {
        byte[] in = new byte[ReadLimits.count(codes.buffer(2).capacity())];
        codes.buffer(2).getBytes(0, in);
        byte[] scratch = new byte[0];
        int start = 0;
        for (int i = 0; i < count; i++) {
          int end = end(codes, i);
          int room = Math.multiplyExact(LONGEST_SYMBOL, end - start);
          if (scratch.length < room) {
            scratch = new byte[room];
          }
          lengths[i] = table.decode(in, start, end - start, scratch, 0);
          append(text, scratch, lengths[i]);
          start = end;
        }
        ArrowBuf validity = codes.validity();
        if (validity != null) {
          validity.getReferenceManager().retain();
          owned.own(validity);
        }
        ArrowBuf offsets = new RowSlots(new long[count], lengths, 0).offsets(wide, owned);
        ArrowBuf[] buffers = {validity, offsets, owned.own(text.take())};
        return owned.release(new ArrayData(count, codes.nullCount(), buffers));
      }
    }

    private int end(ArrayData codes, int row) {
      return wide
          ? (int) codes.buffer(1).getLong((row + 1L) * Long.BYTES)
          : codes.buffer(1).getInt((row + 1L) * Integer.BYTES);
    }

    private static void append(GrowableBuffer text, byte[] bytes, int length) {
      long at = text.size();
      text.grow(length);
      text.buffer().setBytes(at, bytes, 0, length);
    }
  }
}
