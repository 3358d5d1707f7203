package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.data.GrowableBuffer;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;

/** Gathers strings or binary values. */
final class VariableBuffer implements BlockBuffer {
  private static final int MIN_CAPACITY = 1024;

  private final int offsetBits;
  private final GrowableBuffer values;
  private int[] offsets = new int[MIN_CAPACITY];
  private int count;

  VariableBuffer(int offsetBits, BufferAllocator allocator) {
    this.offsetBits = offsetBits;
    this.values = new GrowableBuffer(allocator, 0);
  }

  @Override
  public void append(LeafBlock block) {
    VariableBlock added = (VariableBlock) block;
    int total = Math.addExact(count, added.count());
    if (total >= offsets.length) {
      offsets = Arrays.copyOf(offsets, Math.max(total + 1, count + count / 2));
    }
    int shift = Math.toIntExact(values.size()) - added.start(0);
    for (int i = 0; i < added.count(); i++) {
      offsets[count + i + 1] = Math.addExact(added.start(i) + added.length(i), shift);
    }
    values.append(added.values(), added.start(0), added.dataBytes(0, added.count()));
    count = total;
  }

  @Override
  public VariableBlock view() {
    return new VariableBlock(
        offsetBits, count, offsets, 0, Buffers.view(values.buffer(), 0, values.size()));
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
