package dev.lance4j.format.internal.v21.write;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;

/** Little-endian views of Arrow memory and heap memory. */
final class Buffers {
  private Buffers() {}

  /** The bytes of an Arrow buffer, which may be absent when nothing is wanted of it. */
  static ByteBuffer view(ArrowBuf buffer, long offset, long length) {
    return length == 0
        ? heap(0)
        : buffer.nioBuffer(offset, Math.toIntExact(length)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A part of a view. */
  static ByteBuffer slice(ByteBuffer bytes, int offset, int length) {
    return bytes.slice(offset, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** New zeroed memory. */
  static ByteBuffer heap(long length) {
    return ByteBuffer.allocate(Math.toIntExact(length)).order(ByteOrder.LITTLE_ENDIAN);
  }
}
