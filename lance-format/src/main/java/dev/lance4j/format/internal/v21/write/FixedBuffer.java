package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.data.GrowableBuffer;
import org.apache.arrow.memory.BufferAllocator;

/** Gathers values of one width. */
final class FixedBuffer implements BlockBuffer {
  private final int bits;
  private final GrowableBuffer values;
  private int count;

  FixedBuffer(int bits, BufferAllocator allocator) {
    this.bits = bits;
    this.values = new GrowableBuffer(allocator, 0);
  }

  @Override
  public void append(LeafBlock block) {
    FixedBlock added = (FixedBlock) block;
    if (bits == 1) {
      appendBits(added);
    } else {
      values.append(added.values(), 0, added.count() * added.width());
    }
    count = Math.addExact(count, added.count());
  }

  private void appendBits(FixedBlock added) {
    long grown = Bits.bytes((long) count + added.count()) - values.size();
    values.grow(grown);
    Bits.copy(
        added.values(), 0, Buffers.view(values.buffer(), 0, values.size()), count, added.count());
  }

  @Override
  public FixedBlock view() {
    return new FixedBlock(bits, count, Buffers.view(values.buffer(), 0, values.size()));
  }

  @Override
  public void clear() {
    values.clear();
    count = 0;
  }

  @Override
  public void close() {
    values.close();
  }
}
