package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.Bitmaps;
import dev.lance4j.format.internal.data.Foreign;
import dev.lance4j.format.internal.io.RangeRequests;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** A read of fixed-width values of a page. */
abstract class FixedWidthRead {
  private final int byteCount;

  /**
   * @param values how many are read
   * @param bits of each
   * @throws dev.lance4j.format.UnsupportedFormatException if they do not fit one buffer
   */
  FixedWidthRead(long values, int bits) {
    this.byteCount = ReadLimits.count(Bitmaps.bytes(Math.multiplyExact(values, bits)));
  }

  /** The number of bytes that the values take together. */
  final int byteCount() {
    return byteCount;
  }

  /** Asks for the next bytes; false when nothing was asked for. */
  abstract boolean request(RangeRequests requests);

  /** The values where they lie in memory, if they lie together; otherwise null. */
  abstract ByteBuffer contiguous();

  /** Writes the values from the target's byte 0 on. */
  abstract void copyTo(ByteBuffer target);

  /** The values, little-endian, from position 0; not to be written to. */
  final ByteBuffer bytes() {
    ByteBuffer together = contiguous();
    if (together == null) {
      together = ByteBuffer.allocate(byteCount).order(ByteOrder.LITTLE_ENDIAN);
      copyTo(together);
    }
    return together;
  }

  /** The values as Arrow memory, without a copy where that is possible. */
  final ArrowBuf toArrow(BufferAllocator allocator) {
    ByteBuffer together = contiguous();
    if (together != null) {
      return Foreign.buffer(allocator, together, 0, byteCount);
    }
    ArrowBuf buffer = allocator.buffer(byteCount);
    boolean complete = false;
    try {
      copyTo(buffer.nioBuffer(0, byteCount));
      complete = true;
      return buffer;
    } finally {
      if (!complete) {
        buffer.close();
      }
    }
  }
}
