package dev.lance4j.format.internal.v21.write;

import java.nio.ByteBuffer;
import org.apache.arrow.memory.BufferAllocator;

/** Gathers fixed-size lists. */
final class ListBuffer implements BlockBuffer {
  private final int[] dimensions;
  private final int[] itemsPerValue;
  private final FixedBuffer items;
  private final FixedBuffer[] validity;
  private final boolean[] hasNulls;
  private int count;

  ListBuffer(ListType type, BufferAllocator allocator) {
    int layers = type.layers().size();
    dimensions = new int[layers];
    itemsPerValue = new int[layers];
    validity = new FixedBuffer[layers];
    hasNulls = new boolean[layers];
    int per = 1;
    for (int i = 0; i < layers; i++) {
      dimensions[i] = type.layers().get(i).dimension();
      per *= dimensions[i];
      itemsPerValue[i] = per;
      validity[i] = new FixedBuffer(1, allocator);
    }
    items = new FixedBuffer(type.items().bits(), allocator);
  }

  @Override
  public void append(LeafBlock block) {
    ListBlock added = (ListBlock) block;
    items.append(added.items());
    for (int i = 0; i < dimensions.length; i++) {
      if (added.validity(i) != null || hasNulls[i]) {
        appendValidity(i, added);
      }
    }
    count = Math.addExact(count, added.count());
  }

  private void appendValidity(int layer, ListBlock added) {
    if (!hasNulls[layer]) {
      hasNulls[layer] = true;
      validity[layer].append(allValid(count * itemsPerValue[layer]));
    }
    int bits = added.count() * itemsPerValue[layer];
    ByteBuffer given = added.validity(layer);
    validity[layer].append(given == null ? allValid(bits) : new FixedBlock(1, bits, given));
  }

  private static FixedBlock allValid(int count) {
    ByteBuffer bits = Buffers.heap(Bits.bytes(count));
    Bits.fill(bits, 0, count);
    return new FixedBlock(1, count, bits);
  }

  @Override
  public ListBlock view() {
    ByteBuffer[] bits = new ByteBuffer[dimensions.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = hasNulls[i] ? validity[i].view().values() : null;
    }
    return new ListBlock(count, dimensions, bits, items.view());
  }

  @Override
  public void clear() {
    items.clear();
    for (int i = 0; i < dimensions.length; i++) {
      validity[i].clear();
      hasNulls[i] = false;
    }
    count = 0;
  }

  @Override
  public void close() {
    items.close();
    for (FixedBuffer bits : validity) {
      bits.close();
    }
  }
}
