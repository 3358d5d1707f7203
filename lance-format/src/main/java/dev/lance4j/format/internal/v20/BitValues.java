package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.Bitmaps;
import dev.lance4j.format.internal.data.GrowableBuffer;
import dev.lance4j.format.internal.page.RowRanges;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.BufferAllocator;

/** Bits that wait to be written. */
final class BitValues implements AutoCloseable {
  private final GrowableBuffer bits;
  private long count;
  private long ones;

  BitValues(BufferAllocator allocator) {
    this.bits = new GrowableBuffer(allocator, 0);
  }

  long count() {
    return count;
  }

  /** How many bits are 0. */
  long zeros() {
    return count - ones;
  }

  /**
   * Copies bits.
   *
   * @param source null for ones
   */
  void append(ByteBuffer source, RowRanges ranges) {
    bits.grow(Bitmaps.bytes(count + ranges.rows()) - bits.size());
    ByteBuffer target = bits.buffer().nioBuffer(0, Math.toIntExact(bits.size()));
    for (int i = 0; i < ranges.size(); i++) {
      long more = ranges.end(i) - ranges.start(i);
      if (source == null) {
        Bitmaps.fillOnes(target, count, more);
      } else {
        Bitmaps.copy(source, ranges.start(i), target, count, more);
      }
      ones += Bitmaps.count(target, count, more);
      count += more;
    }
  }

  ByteBuffer bytes() {
    return bits.buffer().nioBuffer(0, Math.toIntExact(bits.size()));
  }

  void clear() {
    bits.clear();
    count = 0;
    ones = 0;
  }

  @Override
  public void close() {
    bits.close();
  }
}
