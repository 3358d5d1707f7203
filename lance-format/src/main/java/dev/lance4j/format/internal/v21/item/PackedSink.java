package dev.lance4j.format.internal.v21.item;

import dev.lance4j.format.internal.data.ArrayData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Structs whose children share the column. */
final class PackedSink extends ItemSink {
  private final List<ItemType> types;
  private final ItemSink[] children;

  PackedSink(BufferAllocator allocator, ItemType.Packed type, int expected) {
    this.types = type.children();
    this.children = new ItemSink[types.size()];
    boolean complete = false;
    try {
      for (int i = 0; i < children.length; i++) {
        children[i] = ItemSink.of(types.get(i), allocator, expected);
      }
      complete = true;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  @Override
  void add(Block block, int from, int to) {
    if (block instanceof Block.Struct struct && struct.children().size() == children.length) {
      for (int i = 0; i < children.length; i++) {
        children[i].append(struct.children().get(i), from, to);
      }
    } else if (block instanceof Block.Fixed rows) {
      addRows(rows, from, to);
    } else {
      throw misfit(block, "packed structs");
    }
  }

  private void addRows(Block.Fixed rows, int from, int to) {
    int stride = rows.bits() / 8;
    int offset = 0;
    for (int i = 0; i < children.length; i++) {
      int width = Math.toIntExact(types.get(i).width() / 8);
      ByteBuffer column = column(rows.bytes(), from * stride + offset, stride, width, to - from);
      children[i].append(Dense.block(types.get(i), column, false), 0, to - from);
      offset += width;
    }
    if (offset != stride) {
      throw misfit(rows, "packed structs of " + offset + " bytes");
    }
  }

  private static ByteBuffer column(ByteBuffer rows, int start, int stride, int width, int n) {
    byte[] column = new byte[Math.multiplyExact(n, width)];
    for (int i = 0; i < n; i++) {
      rows.get(start + i * stride, column, i * width, width);
    }
    return ByteBuffer.wrap(column).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  void addEmpty(int n) {
    for (ItemSink child : children) {
      child.appendEmpty(n);
    }
  }

  @Override
  public ArrayData finish(ArrowBuf validity, int nulls) {
    ArrayData[] arrays = new ArrayData[children.length];
    for (int i = 0; i < children.length; i++) {
      arrays[i] = children[i].finish(null, 0);
    }
    return new ArrayData(count(), nulls, new ArrowBuf[] {validity}, arrays);
  }

  @Override
  public void close() {
    for (ItemSink child : children) {
      if (child != null) {
        child.close();
      }
    }
  }
}
