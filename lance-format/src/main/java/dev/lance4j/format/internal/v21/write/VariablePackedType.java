package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.data.ArrayData;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Structs whose children, some of them strings or binary values, are stored row by row in one
 * column; from file version 2.2 on. A row is the children's bytes, behind their length where that
 * differs between rows.
 *
 * @param children of a fixed width of whole bytes, or variable
 */
record VariablePackedType(List<LeafType> children) implements LeafType {
  /** The width of the length of a row. */
  static final int LENGTH_BITS = Integer.SIZE;

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
    long bytes = 0;
    for (int i = 0; i < children.size(); i++) {
      bytes += children.get(i).bytes(array.child(i), from, to);
    }
    return bytes;
  }

  @Override
  public ByteBuffer validity(ArrayData array) {
    return Slots.validity(array);
  }

  @Override
  public VariableBlock block(ArrayData array, Slots slots, String path) {
    boolean[] valid = slots.hasNullSlots() ? slots.validSlots() : null;
    int count = slots.runs().total();
    List<LeafBlock> columns = new ArrayList<>();
    for (int i = 0; i < children.size(); i++) {
      PackedType.refuseNulls(array.child(i), slots.runs(), valid, path);
      columns.add(children.get(i).block(array.child(i), slots, path));
    }
    int[] offsets = new int[count + 1];
    for (int row = 0; row < count; row++) {
      long size = valid == null || valid[row] ? rowBytes(columns, row) : 0;
      offsets[row + 1] = VariableType.exact(offsets[row] + size, path);
    }
    ByteBuffer rows = Buffers.heap(offsets[count]);
    for (int row = 0; row < count; row++) {
      if (offsets[row + 1] > offsets[row]) {
        putRow(columns, row, rows, offsets[row]);
      }
    }
    return new VariableBlock(LENGTH_BITS, count, offsets, 0, rows);
  }

  private static long rowBytes(List<LeafBlock> columns, int row) {
    long bytes = 0;
    for (LeafBlock column : columns) {
      bytes +=
          column instanceof VariableBlock variable
              ? (long) variable.offsetBytes() + variable.length(row)
              : ((FixedBlock) column).width();
    }
    return bytes;
  }

  private static void putRow(List<LeafBlock> columns, int row, ByteBuffer out, int start) {
    int at = start;
    for (LeafBlock column : columns) {
      if (column instanceof VariableBlock variable) {
        int length = variable.length(row);
        FixedValues.put(out, at, variable.offsetBytes(), length);
        at += variable.offsetBytes();
        out.put(at, variable.values(), variable.start(row), length);
        at += length;
      } else {
        FixedBlock fixed = (FixedBlock) column;
        out.put(at, fixed.values(), row * fixed.width(), fixed.width());
        at += fixed.width();
      }
    }
  }

  @Override
  public BlockBuffer buffer(BufferAllocator allocator) {
    return new VariableBuffer(LENGTH_BITS, allocator);
  }
}
