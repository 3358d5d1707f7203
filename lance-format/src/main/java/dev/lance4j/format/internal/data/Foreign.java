package dev.lance4j.format.internal.data;

import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ForeignAllocation;
import org.apache.arrow.memory.util.MemoryUtil;

/** Gives bytes of a file to Arrow, without a copy where the memory allows it. */
public final class Foreign {
  private static final int ALIGNMENT = 8;

  private Foreign() {}

  /**
   * A buffer with the bytes from {@code offset} on: the same memory when it is outside the heap,
   * writable and aligned to 8 bytes, a copy otherwise.
   *
   * @param allocator accounts for the buffer
   */
  public static ArrowBuf buffer(
      BufferAllocator allocator, ByteBuffer bytes, int offset, int length) {
    if (length == 0) {
      return allocator.getEmpty();
    }
    ByteBuffer slice = bytes.slice(offset, length);
    if (slice.isDirect() && !slice.isReadOnly()) {
      long address = MemoryUtil.getByteBufferAddress(slice);
      if (address % ALIGNMENT == 0) {
        return allocator.wrapForeignAllocation(new Mapped(slice, length, address));
      }
    }
    ArrowBuf copy = allocator.buffer(length);
    copy.setBytes(0, slice);
    return copy;
  }

  /** Keeps the memory reachable while Arrow uses it; the map goes when the buffer is collected. */
  private static final class Mapped extends ForeignAllocation {
    // Never read: the reference alone keeps the memory mapped.
    @SuppressWarnings("UnusedVariable")
    private ByteBuffer owner;

    Mapped(ByteBuffer owner, long size, long address) {
      super(size, address);
      this.owner = owner;
    }

    @Override
    protected void release0() {
      owner = null;
    }
  }
}
