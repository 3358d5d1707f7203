package dev.lance4j.format.internal.v21.write;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** A buffer of a page while it is being made. */
final class PageOutput implements AutoCloseable {
  private static final int MIN_CAPACITY = 64;

  private final BufferAllocator allocator;
  private ArrowBuf memory;
  private ByteBuffer view;
  private int size;

  PageOutput(BufferAllocator allocator) {
    this.allocator = allocator;
    this.memory = allocator.getEmpty();
    this.view = Buffers.heap(0);
  }

  /** The number of bytes written. */
  int size() {
    return size;
  }

  /**
   * The memory with room for {@code more} bytes after the first {@link #size}; the position of the
   * returned buffer means nothing.
   */
  ByteBuffer room(long more) {
    long needed = size + more;
    if (needed > view.capacity()) {
      long doubled = Math.min((long) view.capacity() * 2, Integer.MAX_VALUE);
      int capacity = Math.toIntExact(Math.max(Math.max(needed, MIN_CAPACITY), doubled));
      ArrowBuf larger = allocator.buffer(capacity);
      larger.setBytes(0, memory, 0, size);
      memory.close();
      memory = larger;
      view = larger.nioBuffer(0, capacity).order(ByteOrder.LITTLE_ENDIAN);
    }
    return view;
  }

  /** Counts bytes that were put after the first {@link #size}. */
  void advance(int bytes) {
    size += bytes;
  }

  /** Fills up to a multiple of {@code alignment}, which is a power of two. */
  void pad(int alignment, byte with) {
    int missing = -size & (alignment - 1);
    ByteBuffer out = room(missing);
    for (int i = 0; i < missing; i++) {
      out.put(size + i, with);
    }
    size += missing;
  }

  void putShort(int value) {
    room(Short.BYTES).putShort(size, (short) value);
    size += Short.BYTES;
  }

  void putInt(int value) {
    room(Integer.BYTES).putInt(size, value);
    size += Integer.BYTES;
  }

  void putLong(long value) {
    room(Long.BYTES).putLong(size, value);
    size += Long.BYTES;
  }

  /** Appends bytes of another buffer. */
  void put(ByteBuffer from, int offset, int length) {
    room(length).put(size, from, offset, length);
    size += length;
  }

  /** What was written; valid until more is written or this is closed. */
  ByteBuffer bytes() {
    return Buffers.slice(view, 0, size);
  }

  @Override
  public void close() {
    memory.close();
    memory = allocator.getEmpty();
    view = Buffers.heap(0);
    size = 0;
  }
}
