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

  /** Makes room for rows; their ends are put into the buffer that is returned. */
  ByteBuffer grow(long rows) {
    long at = ends.size();
    ends.grow(Math.multiplyExact(rows, Long.BYTES));
    int length = Math.toIntExact(ends.size() - at);
    return ends.buffer().nioBuffer(at, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The end of a row of so many values. */
  long next(long values) {
    total += values;
    return total;
  }

  /** The end of a null. */
  long nextNull() {
    return ~total;
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
