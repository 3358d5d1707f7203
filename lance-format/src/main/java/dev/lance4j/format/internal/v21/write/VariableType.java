package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Strings and binary values.
 *
 * @param offsetBits the width of Arrow's offsets and of the stored ones
 * @param text whether the values are strings
 */
record VariableType(int offsetBits, boolean text) implements LeafType {
  private Offsets offsets(ArrayData array) {
    return new Offsets(array.buffer(1), offsetBits == 64);
  }

  @Override
  public void check(ArrayData array, String path) {
    Check.layout(array, 3, 0, path);
    long bytes = array.buffer(2) == null ? 0 : array.buffer(2).capacity();
    offsets(array).check(array.length(), bytes, path);
  }

  @Override
  public long bytes(ArrayData array, int from, int to) {
    return offsets(array).distance(from, to) + (long) (to - from) * (offsetBits >> 3);
  }

  @Override
  public ByteBuffer validity(ArrayData array) {
    return Slots.validity(array);
  }

  @Override
  public VariableBlock block(ArrayData array, Slots slots, String path) {
    boolean[] valid = slots.hasNullSlots() ? slots.validSlots() : null;
    Runs runs = slots.runs();
    Offsets from = offsets(array);
    int[] offsets = new int[Math.addExact(runs.total(), 1)];
    long end = -1;
    long start = 0;
    long size = 0;
    boolean contiguous = true;
    int slot = 0;
    for (int r = 0; r < runs.size(); r++) {
      int last = runs.start(r) + runs.length(r);
      for (int i = runs.start(r); i < last; i++) {
        long length = valid == null || valid[slot] ? from.distance(i, i + 1) : 0;
        if (length > 0) {
          long at = from.get(i);
          contiguous &= end < 0 || at == end;
          start = end < 0 ? at : start;
          end = at + length;
        }
        size += length;
        offsets[++slot] = exact(size, path);
      }
    }
    ByteBuffer values =
        contiguous
            ? Buffers.view(array.buffer(2), start, size)
            : gather(array, runs, offsets, from);
    return new VariableBlock(offsetBits, runs.total(), offsets, 0, values);
  }

  /** A size as an int, checked. */
  static int exact(long size, String path) {
    if (size > Integer.MAX_VALUE) {
      throw new InvalidInputException(
          "Field '" + path + "' has more than 2 GiB of values in one row; use smaller values");
    }
    return (int) size;
  }

  private static ByteBuffer gather(ArrayData array, Runs runs, int[] offsets, Offsets from) {
    int count = runs.total();
    byte[] values = new byte[offsets[count]];
    Runs.Cursor cursor = runs.cursor();
    for (int slot = 0; slot < count; slot++) {
      int i = cursor.next();
      int length = offsets[slot + 1] - offsets[slot];
      if (length > 0) {
        array.buffer(2).getBytes(from.get(i), values, offsets[slot], length);
      }
    }
    return ByteBuffer.wrap(values).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public BlockBuffer buffer(BufferAllocator allocator) {
    return new VariableBuffer(offsetBits, allocator);
  }
}
