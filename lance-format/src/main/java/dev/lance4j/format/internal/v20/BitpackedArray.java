package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.Bitmaps;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.RowRanges;
import java.nio.ByteBuffer;

/**
 * The {@code bitpacked} encoding: values of fewer bits than their type, one after the other.
 *
 * @param packedBits of each value as stored, 1 to 64
 * @param plainBits of the type: 8, 16, 32 or 64
 * @param signed whether the highest stored bit is a sign
 */
record BitpackedArray(PageBuffer buffer, int packedBits, int plainBits, boolean signed)
    implements FixedWidthArray {
  @Override
  public FixedWidthRead read(RowRanges rows) {
    return new Read(rows);
  }

  private final class Read extends FixedWidthRead {
    private final RowRanges rows;
    private RangeRequests.Slot[] slots;

    Read(RowRanges rows) {
      super(rows.rows(), plainBits);
      this.rows = rows;
    }

    @Override
    boolean request(RangeRequests requests) {
      if (slots != null) {
        return false;
      }
      slots = new RangeRequests.Slot[rows.size()];
      for (int i = 0; i < slots.length; i++) {
        long first = (rows.start(i) * packedBits) >>> 3;
        long end = Bitmaps.bytes(rows.end(i) * packedBits);
        slots[i] = buffer.request(requests, first, end - first);
      }
      return slots.length > 0;
    }

    @Override
    ByteBuffer contiguous() {
      return null;
    }

    @Override
    void copyTo(ByteBuffer target) {
      int at = 0;
      for (int i = 0; i < slots.length; i++) {
        ByteBuffer source = slots[i].bytes();
        long bit = (rows.start(i) * packedBits) & 7;
        for (long row = rows.start(i); row < rows.end(i); row++) {
          long value = bits(source, bit);
          for (int b = 0; b < plainBits; b += Byte.SIZE) {
            target.put(at, (byte) (value >>> b));
            at++;
          }
          bit += packedBits;
        }
      }
    }

    private long bits(ByteBuffer source, long firstBit) {
      long value = 0;
      int got = 0;
      int at = (int) (firstBit >>> 3);
      int skip = (int) (firstBit & 7);
      while (got < packedBits) {
        value |= ((source.get(at) & 0xFFL) >>> skip) << got;
        got += Byte.SIZE - skip;
        skip = 0;
        at++;
      }
      int unused = Long.SIZE - packedBits;
      return signed ? (value << unused) >> unused : (value << unused) >>> unused;
    }
  }
}
