package dev.lance4j.format.internal.v21.item;

import dev.lance4j.format.internal.data.ArrayData;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Booleans. */
final class BitSink extends ItemSink {
  private final BitBuffer bits;

  BitSink(BufferAllocator allocator, int expected) {
    this.bits = new BitBuffer(allocator, expected);
  }

  @Override
  void add(Block block, int from, int to) {
    if (!(block instanceof Block.Fixed fixed)) {
      throw misfit(block, "booleans");
    }
    switch (fixed.bits()) {
      case 1 -> bits.append(fixed.bytes(), from, to - from);
      case 8 -> bits.appendBytesAsBits(fixed.bytes(), from, to - from);
      default -> throw misfit(block, "booleans");
    }
  }

  @Override
  void addEmpty(int n) {
    bits.appendRun(false, n);
  }

  @Override
  public ArrayData finish(ArrowBuf validity, int nulls) {
    return new ArrayData(count(), nulls, new ArrowBuf[] {validity, bits.take()});
  }

  @Override
  public void close() {
    bits.close();
  }
}
