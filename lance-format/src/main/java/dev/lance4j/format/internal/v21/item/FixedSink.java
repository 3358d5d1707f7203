package dev.lance4j.format.internal.v21.item;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.Foreign;
import dev.lance4j.format.internal.data.GrowableBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Values of whole bytes of one width. */
final class FixedSink extends ItemSink {
  private final BufferAllocator allocator;
  private final int width;
  private final int expected;
  private GrowableBuffer buffer;
  private ArrowBuf shared;

  FixedSink(BufferAllocator allocator, int bits, int expected) {
    this.allocator = allocator;
    this.width = bits / 8;
    this.expected = expected;
  }

  @Override
  void add(Block block, int from, int to) {
    if (!(block instanceof Block.Fixed fixed) || fixed.bits() != 8 * width) {
      throw misfit(block, 8 * width + "-bit values");
    }
    int start = Math.multiplyExact(from, width);
    int length = Math.multiplyExact(to - from, width);
    if (fixed.lasting() && buffer == null && shared == null && to - from == expected) {
      shared = Foreign.buffer(allocator, fixed.bytes(), start, length);
    } else {
      growable().append(fixed.bytes(), start, length);
    }
  }

  @Override
  void addEmpty(int n) {
    // The file does not have these bytes, so that it does not bound their number.
    if ((long) count() * width > Integer.MAX_VALUE) {
      throw new InvalidInputException(
          "One batch would hold " + (long) count() * width + " bytes; read fewer rows at once");
    }
    long length = (long) n * width;
    GrowableBuffer target = growable();
    long at = target.size();
    target.grow(length);
    if (length > 0) {
      target.buffer().setZero(at, length);
    }
  }

  private GrowableBuffer growable() {
    if (buffer == null) {
      buffer = new GrowableBuffer(allocator, (long) expected * width);
      if (shared != null) {
        buffer.append(shared, 0, shared.capacity());
        shared.close();
        shared = null;
      }
    }
    return buffer;
  }

  @Override
  public ArrayData finish(ArrowBuf validity, int nulls) {
    ArrowBuf values = shared != null ? shared : growable().take();
    shared = null;
    return new ArrayData(count(), nulls, new ArrowBuf[] {validity, values});
  }

  @Override
  public void close() {
    if (buffer != null) {
      buffer.close();
    }
    if (shared != null) {
      shared.close();
      shared = null;
    }
  }
}
