package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Structs whose children are stored side by side, row by row, in one column.
 *
 * @param children the children's widths, multiples of 8 bits
 */
record PackedType(List<FixedType> children) implements LeafType {
  /** The width of a row in bits. */
  int bits() {
    int bits = 0;
    for (FixedType child : children) {
      bits = Math.addExact(bits, child.bits());
    }
    return bits;
  }

  @Override
  public void check(ArrayData array, String path) {
    Check.layout(array, 1, children.size(), path);
    for (int i = 0; i < children.size(); i++) {
      Check.childLength(array.child(i), array.length(), path);
      children.get(i).check(array.child(i), path);
    }
  }

  @Override
  public long bytes(ArrayData array, int from, int to) {
    return (long) (to - from) * (bits() >> 3);
  }

  @Override
  public ByteBuffer validity(ArrayData array) {
    return Slots.validity(array);
  }

  @Override
  public FixedBlock block(ArrayData array, Slots slots, String path) {
    boolean[] valid = slots.hasNullSlots() ? slots.validSlots() : null;
    int count = slots.runs().total();
    int width = bits() >> 3;
    ByteBuffer rows = Buffers.heap((long) count * width);
    int at = 0;
    for (int c = 0; c < children.size(); c++) {
      refuseNulls(array.child(c), slots.runs(), valid, path);
      FixedBlock values = children.get(c).gather(array.child(c), slots.runs());
      for (int i = 0; i < count; i++) {
        if (valid == null || valid[i]) {
          int from = i * values.width();
          rows.put(i * width + at, values.values(), from, values.width());
        }
      }
      at += values.width();
    }
    return new FixedBlock(bits(), count, rows);
  }

  /** Children of packed structs have no nulls of their own. */
  static void refuseNulls(ArrayData child, Runs runs, boolean[] valid, String path) {
    if (child.nullCount() == 0) {
      return;
    }
    Runs.Cursor cursor = runs.cursor();
    for (int slot = 0; slot < runs.total(); slot++) {
      if (!child.isValid(cursor.next()) && (valid == null || valid[slot])) {
        throw new InvalidInputException(
            "The packed struct '"
                + path
                + "' has a null in a child, which the format cannot store; remove the"
                + " lance-encoding:packed metadata");
      }
    }
  }

  @Override
  public BlockBuffer buffer(BufferAllocator allocator) {
    return new FixedBuffer(bits(), allocator);
  }
}
