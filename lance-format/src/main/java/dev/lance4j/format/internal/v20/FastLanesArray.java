package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.kernel.FastLanes;
import dev.lance4j.format.internal.page.RowRanges;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The {@code bitpacked_for_non_neg} encoding: values packed in groups of 1024.
 *
 * @param packedBits of each value as stored
 * @param plainBits of the type: 8, 16, 32 or 64
 */
record FastLanesArray(PageBuffer buffer, int packedBits, int plainBits) implements FixedWidthArray {
  /** The number of values packed together. */
  static final int GROUP = 1024;

  @Override
  public FixedWidthRead read(RowRanges rows) {
    return new Read(rows);
  }

  private final class Read extends FixedWidthRead {
    private final RowRanges rows;
    private RowRanges groups;
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
      RangeList needed = new RangeList();
      long next = 0;
      for (int i = 0; i < rows.size(); i++) {
        long first = Math.max(next, rows.start(i) / GROUP);
        next = (rows.end(i) + GROUP - 1) / GROUP;
        needed.add(first, next);
      }
      groups = needed.toRanges();
      slots = new RangeRequests.Slot[groups.size()];
      long size = FastLanes.packedBytes(packedBits);
      for (int i = 0; i < slots.length; i++) {
        long count = groups.end(i) - groups.start(i);
        slots[i] = buffer.request(requests, groups.start(i) * size, count * size);
      }
      return slots.length > 0;
    }

    @Override
    ByteBuffer contiguous() {
      return null;
    }

    @Override
    void copyTo(ByteBuffer target) {
      ByteBuffer group = ByteBuffer.allocate(GROUP * plainBits / 8).order(ByteOrder.LITTLE_ENDIAN);
      int width = plainBits / 8;
      int at = 0;
      for (int i = 0; i < slots.length; i++) {
        for (long g = groups.start(i); g < groups.end(i); g++) {
          int offset = (int) (g - groups.start(i)) * FastLanes.packedBytes(packedBits);
          unpack(slots[i].bytes(), offset, group);
          RowRanges wanted = rows.slice(g * GROUP, (g + 1) * GROUP);
          for (int w = 0; w < wanted.size(); w++) {
            int from = (int) wanted.start(w) * width;
            int length = (int) wanted.end(w) * width - from;
            target.put(at, group, from, length);
            at += length;
          }
        }
      }
    }

    private void unpack(ByteBuffer packed, int offset, ByteBuffer group) {
      switch (plainBits) {
        case 8 -> {
          byte[] values = new byte[GROUP];
          FastLanes.unpackBytes(packedBits, packed, offset, values, 0);
          group.put(0, values);
        }
        case 16 -> {
          short[] values = new short[GROUP];
          FastLanes.unpackShorts(packedBits, packed, offset, values, 0);
          group.asShortBuffer().put(values);
        }
        case 32 -> {
          int[] values = new int[GROUP];
          FastLanes.unpackInts(packedBits, packed, offset, values, 0);
          group.asIntBuffer().put(values);
        }
        default -> {
          long[] values = new long[GROUP];
          FastLanes.unpackLongs(packedBits, packed, offset, values, 0);
          group.asLongBuffer().put(values);
        }
      }
    }
  }
}
