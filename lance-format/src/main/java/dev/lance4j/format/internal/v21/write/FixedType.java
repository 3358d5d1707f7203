package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.data.ArrayData;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Values of one width.
 *
 * @param bits 1 for booleans, else a multiple of 8
 */
record FixedType(int bits) implements LeafType {
  @Override
  public void check(ArrayData array, String path) {
    Check.layout(array, 2, 0, path);
    Check.capacity(array.buffer(1), bytes(array, 0, array.length()), "values", path);
  }

  @Override
  public long bytes(ArrayData array, int from, int to) {
    return ((long) (to - from) * bits + 7) >> 3;
  }

  @Override
  public ByteBuffer validity(ArrayData array) {
    return Slots.validity(array);
  }

  @Override
  public FixedBlock block(ArrayData array, Slots slots, String path) {
    return gather(array, slots.runs());
  }

  /** The values at some indices. */
  FixedBlock gather(ArrayData array, Runs runs) {
    if (bits == 1) {
      return new FixedBlock(1, runs.total(), gatherBits(all(array), runs));
    }
    int width = bits >> 3;
    if (runs.size() <= 1) {
      long start = runs.size() == 0 ? 0 : (long) runs.start(0) * width;
      return new FixedBlock(
          bits, runs.total(), Buffers.view(array.buffer(1), start, (long) runs.total() * width));
    }
    ByteBuffer values = Buffers.heap((long) runs.total() * width);
    for (int r = 0; r < runs.size(); r++) {
      values.put(
          Buffers.view(
              array.buffer(1), (long) runs.start(r) * width, (long) runs.length(r) * width));
    }
    return new FixedBlock(bits, runs.total(), values.flip());
  }

  private static ByteBuffer all(ArrayData array) {
    return Buffers.view(array.buffer(1), 0, Bits.bytes(array.length()));
  }

  /** Bits at some indices, beginning at bit 0. */
  static ByteBuffer gatherBits(ByteBuffer from, Runs runs) {
    if (runs.size() <= 1) {
      return bits(from, runs.size() == 0 ? 0 : runs.start(0), runs.total());
    }
    ByteBuffer gathered = Buffers.heap(Bits.bytes(runs.total()));
    int at = 0;
    for (int r = 0; r < runs.size(); r++) {
      Bits.copy(from, runs.start(r), gathered, at, runs.length(r));
      at += runs.length(r);
    }
    return gathered;
  }

  /** Neighbouring bits, beginning at bit 0; shared where they begin at a byte. */
  static ByteBuffer bits(ByteBuffer from, int start, int count) {
    if ((start & 7) == 0) {
      return Buffers.slice(from, start >> 3, Bits.bytes(count));
    }
    ByteBuffer moved = Buffers.heap(Bits.bytes(count));
    Bits.copy(from, start, moved, 0, count);
    return moved;
  }

  @Override
  public BlockBuffer buffer(BufferAllocator allocator) {
    return new FixedBuffer(bits, allocator);
  }
}
