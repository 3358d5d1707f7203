package dev.lance4j.format.internal.data;

import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Arrow memory that grows as bytes are appended. */
public final class GrowableBuffer implements AutoCloseable {
  private final BufferAllocator allocator;
  private ArrowBuf buffer;
  private long size;

  /**
   * @param capacity bytes to reserve; grows beyond
   */
  public GrowableBuffer(BufferAllocator allocator, long capacity) {
    this.allocator = allocator;
    this.buffer = capacity == 0 ? allocator.getEmpty() : allocator.buffer(capacity);
  }

  /** The number of bytes appended. */
  public long size() {
    return size;
  }

  /** The memory so far; invalid after the next growth. */
  public ArrowBuf buffer() {
    return buffer;
  }

  /** Makes room for {@code more} bytes and counts them; the caller fills them from the old size. */
  public void grow(long more) {
    long needed = size + more;
    if (needed > buffer.capacity()) {
      reserve(Math.max(needed, buffer.capacity() * 2));
    }
    size = needed;
  }

  /** Makes room for so many bytes in all. */
  public void reserve(long capacity) {
    if (capacity > buffer.capacity()) {
      ArrowBuf larger = allocator.buffer(capacity);
      larger.setBytes(0, buffer, 0, size);
      buffer.close();
      buffer = larger;
    }
  }

  /** Appends bytes of a buffer, whose position does not matter. */
  public void append(ByteBuffer bytes, int offset, int length) {
    long at = size;
    grow(length);
    if (length > 0) {
      // Arrow's copy by index starts at the position instead when it is to copy a whole heap
      // buffer.
      buffer.setBytes(at, bytes.slice(offset, length));
    }
  }

  /** Appends bytes of Arrow memory. */
  public void append(ArrowBuf bytes, long offset, long length) {
    long at = size;
    grow(length);
    if (length > 0) {
      buffer.setBytes(at, bytes, offset, length);
    }
  }

  /** Forgets the bytes and keeps the memory. */
  public void clear() {
    size = 0;
  }

  /** Hands the memory over, writer index at the end of the bytes, and starts anew. */
  public ArrowBuf take() {
    ArrowBuf result = buffer;
    result.writerIndex(size);
    buffer = allocator.getEmpty();
    size = 0;
    return result;
  }

  @Override
  public void close() {
    buffer.close();
    buffer = allocator.getEmpty();
    size = 0;
  }
}
