package dev.lance4j.format.internal.container;

import dev.lance4j.format.internal.page.BufferSink;
import dev.lance4j.format.store.ObjectWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Gathers small writes, and keeps buffers at multiples of 64 bytes with padding of value 0x48, as
 * the format asks.
 */
final class PaddedSink implements BufferSink {
  private static final int ALIGNMENT = 64;
  private static final byte[] PADDING = new byte[ALIGNMENT];
  private static final int GATHER = 64 << 10;

  static {
    Arrays.fill(PADDING, (byte) 0x48);
  }

  private final ObjectWriter out;
  private final ByteBuffer gathered = ByteBuffer.allocate(GATHER).order(ByteOrder.LITTLE_ENDIAN);

  PaddedSink(ObjectWriter out) {
    this.out = out;
  }

  long position() {
    return out.position() + gathered.position();
  }

  @Override
  public long write(ByteBuffer... parts) {
    long start = position();
    for (ByteBuffer part : parts) {
      writeUnpadded(part);
    }
    int used = (int) (position() % ALIGNMENT);
    if (used != 0) {
      writeUnpadded(ByteBuffer.wrap(PADDING, 0, ALIGNMENT - used));
    }
    return start;
  }

  void writeUnpadded(ByteBuffer part) {
    if (part.remaining() > gathered.remaining()) {
      flush();
    }
    if (part.remaining() > gathered.remaining()) {
      out.write(part);
    } else {
      gathered.put(part);
    }
  }

  void flush() {
    gathered.flip();
    out.write(gathered);
    gathered.clear();
  }
}
