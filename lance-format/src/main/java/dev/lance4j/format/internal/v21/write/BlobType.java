package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.data.ArrayData;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Binary values that are stored outside of pages.
 *
 * @param values the values themselves
 */
record BlobType(VariableType values) implements LeafType {
  /** The width of a description: a position and a size. */
  static final int DESCRIPTION_BITS = 2 * Long.SIZE;

  @Override
  public void check(ArrayData array, String path) {
    values.check(array, path);
  }

  @Override
  public long bytes(ArrayData array, int from, int to) {
    return values.bytes(array, from, to);
  }

  @Override
  public ByteBuffer validity(ArrayData array) {
    return values.validity(array);
  }

  @Override
  public LeafBlock block(ArrayData array, Slots slots, String path) {
    return values.block(array, slots, path);
  }

  /** Gathers descriptions. */
  @Override
  public BlockBuffer buffer(BufferAllocator allocator) {
    return new FixedBuffer(DESCRIPTION_BITS, allocator);
  }
}
