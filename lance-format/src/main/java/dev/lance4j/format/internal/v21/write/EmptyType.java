package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.BufferAllocator;

/** Leaves without content. */
enum EmptyType implements LeafType {
  /** The null type, whose every value is null. */
  NULL,
  /** A struct without children. */
  STRUCT;

  @Override
  public void check(ArrayData array, String path) {
    Check.layout(array, this == NULL ? 0 : 1, 0, path);
  }

  @Override
  public long bytes(ArrayData array, int from, int to) {
    return 0;
  }

  @Override
  public ByteBuffer validity(ArrayData array) {
    return this == NULL ? Buffers.heap(Bits.bytes(array.length())) : Slots.validity(array);
  }

  @Override
  public EmptyBlock block(ArrayData array, Slots slots, String path) {
    if (this == STRUCT && slots.levels().defined()) {
      throw new InvalidInputException(
          "Field '"
              + path
              + "' is a struct without children that is null somewhere, which the format cannot"
              + " store; give it a child");
    }
    return new EmptyBlock(slots.runs().total());
  }

  @Override
  public BlockBuffer buffer(BufferAllocator allocator) {
    return new EmptyBuffer();
  }

  private static final class EmptyBuffer implements BlockBuffer {
    private int count;

    @Override
    public void append(LeafBlock block) {
      count = Math.addExact(count, block.count());
    }

    @Override
    public LeafBlock view() {
      return new EmptyBlock(count);
    }

    @Override
    public void clear() {
      count = 0;
    }

    @Override
    public void close() {
      clear();
    }
  }
}
