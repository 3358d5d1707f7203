package dev.lance4j.index.internal.scalar.btree;

import java.nio.ByteOrder;
import java.nio.LongBuffer;
import org.apache.arrow.memory.ArrowBuf;

/** Copies numbers of 64 bits between arrays and Arrow's memory. */
final class Longs {
  private Longs() {}

  /** Reads numbers of a buffer from a position on. */
  static void read(ArrowBuf from, int position, long[] into, int at, int count) {
    view(from, position, count).get(into, at, count);
  }

  /** Writes the first numbers of a buffer. */
  static void write(long[] from, int count, ArrowBuf into) {
    view(into, 0, count).put(from, 0, count);
  }

  private static LongBuffer view(ArrowBuf buffer, int position, int count) {
    return buffer
        .nioBuffer((long) position * Long.BYTES, Math.multiplyExact(count, Long.BYTES))
        .order(ByteOrder.LITTLE_ENDIAN)
        .asLongBuffer();
  }
}
