package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.Bitmaps;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.RowRanges;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The {@code flat} encoding: values back to back, or one bit each. */
final class FlatArray implements FixedWidthArray {
  private final PageBuffer buffer;
  private final int bits;

  /**
   * @param bits 1 or a multiple of 8
   */
  FlatArray(PageBuffer buffer, int bits) {
    this.buffer = buffer;
    this.bits = bits;
  }

  @Override
  public FixedWidthRead read(RowRanges rows) {
    return buffer.isWhole() ? new WholeRead(rows) : new RangesRead(rows);
  }

  private int byteAt(long row) {
    return Math.toIntExact((row * bits) >>> 3);
  }

  /** Copies rows of a range that start at a bit of {@code source} to row {@code at} of target. */
  private void copy(ByteBuffer source, long sourceBit, ByteBuffer target, long at, long count) {
    if (bits == 1) {
      Bitmaps.copy(source, sourceBit, target, at, count);
    } else {
      int length = Math.toIntExact((count * bits) >>> 3);
      target.put(byteAt(at), source, (int) (sourceBit >>> 3), length);
    }
  }

  private final class RangesRead extends FixedWidthRead {
    private final RowRanges rows;
    private RangeRequests.Slot[] slots;

    RangesRead(RowRanges rows) {
      super(rows.rows(), bits);
      this.rows = rows;
    }

    @Override
    boolean request(RangeRequests requests) {
      if (slots != null) {
        return false;
      }
      slots = new RangeRequests.Slot[rows.size()];
      for (int i = 0; i < slots.length; i++) {
        long first = (rows.start(i) * bits) >>> 3;
        long end = Bitmaps.bytes(rows.end(i) * bits);
        slots[i] = buffer.request(requests, first, end - first);
      }
      return slots.length > 0;
    }

    @Override
    ByteBuffer contiguous() {
      return slots.length == 1 && ((rows.start(0) * bits) & 7) == 0 ? slots[0].bytes() : null;
    }

    @Override
    void copyTo(ByteBuffer target) {
      long at = 0;
      for (int i = 0; i < slots.length; i++) {
        long count = rows.end(i) - rows.start(i);
        copy(slots[i].bytes(), (rows.start(i) * bits) & 7, target, at, count);
        at += count;
      }
    }
  }

  private final class WholeRead extends FixedWidthRead {
    private final RowRanges rows;
    private final PageBuffer.Whole whole = buffer.readWhole();

    WholeRead(RowRanges rows) {
      super(rows.rows(), bits);
      this.rows = rows;
    }

    @Override
    boolean request(RangeRequests requests) {
      return whole.request(requests);
    }

    @Override
    ByteBuffer contiguous() {
      if (rows.size() != 1 || ((rows.start(0) * bits) & 7) != 0) {
        return null;
      }
      return whole.bytes().slice(byteAt(rows.start(0)), byteCount()).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    void copyTo(ByteBuffer target) {
      long at = 0;
      for (int i = 0; i < rows.size(); i++) {
        long count = rows.end(i) - rows.start(i);
        copy(whole.bytes(), rows.start(i) * bits, target, at, count);
        at += count;
      }
    }
  }
}
