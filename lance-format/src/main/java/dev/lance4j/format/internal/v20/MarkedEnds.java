package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.GrowableBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The ends of strings or lists that wait to be written; see {@link EndOffsets} for the stored form.
 * Until it is known what marks a null, a null has its bits inverted.
 */
final class MarkedEnds implements AutoCloseable {
  private final GrowableBuffer ends;
  private long total;

  MarkedEnds(BufferAllocator allocator) {
    this.ends = new GrowableBuffer(allocator, 0);
  }

  /** The number of values of all rows together. */
  long total() {
    return total;
  }

  /** The bytes that the ends take. */
  long bytes() {
    return ends.size();
  }

  /** Adds rows. */
  void append(RowSlots slots) {
    long at = ends.size();
    int length = Math.multiplyExact(slots.count(), Long.BYTES);
    ends.grow(length);
    ByteBuffer out = ends.buffer().nioBuffer(at, length).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < slots.count(); i++) {
      if (slots.isNull(i)) {
        out.putLong(~total);
      } else {
        total += slots.length(i);
        out.putLong(total);
      }
    }
  }

  /** The stored form. */
  ByteBuffer encode(long adjustment) {
    ArrowBuf buffer = ends.buffer();
    for (long at = 0; at < ends.size(); at += Long.BYTES) {
      long end = buffer.getLong(at);
      if (end < 0) {
        buffer.setLong(at, ~end + adjustment);
      }
    }
    return buffer.nioBuffer(0, Math.toIntExact(ends.size()));
  }

  void clear() {
    ends.clear();
    total = 0;
  }

  @Override
  public void close() {
    ends.close();
  }
}
