package dev.lance4j.format.internal.data;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What a decoder has allocated so far: freed on close unless the finished result was {@linkplain
 * #release released} before.
 */
public final class OwnedBuffers implements AutoCloseable {
  private final BufferAllocator allocator;
  private final List<ArrowBuf> buffers = new ArrayList<>();
  private final List<ArrayData> arrays = new ArrayList<>();

  public OwnedBuffers(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /** A new buffer with anything in it. */
  public ArrowBuf allocate(long bytes) {
    return own(bytes == 0 ? allocator.getEmpty() : allocator.buffer(bytes));
  }

  /** A new buffer full of zeros. */
  public ArrowBuf zeros(long bytes) {
    ArrowBuf buffer = allocate(bytes);
    buffer.setZero(0, buffer.capacity());
    return buffer;
  }

  /** Takes over a buffer. */
  public ArrowBuf own(ArrowBuf buffer) {
    buffers.add(buffer);
    return buffer;
  }

  /** Takes over an array. */
  public ArrayData own(ArrayData array) {
    arrays.add(array);
    return array;
  }

  /** Gives up everything, which the result owns from now on. */
  public ArrayData release(ArrayData result) {
    buffers.clear();
    arrays.clear();
    return result;
  }

  @Override
  public void close() {
    buffers.forEach(ArrowBuf::close);
    arrays.forEach(ArrayData::close);
    buffers.clear();
    arrays.clear();
  }
}
