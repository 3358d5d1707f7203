package dev.lance4j.format.internal.v21.item;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Fixed-size lists whose items share the column. */
final class FixedListSink extends ItemSink {
  private final BufferAllocator allocator;
  private final int dimension;
  private final ItemSink items;
  private BitBuffer itemValidity;

  FixedListSink(BufferAllocator allocator, ItemType.FixedList type, int expected) {
    this.allocator = allocator;
    this.dimension = type.dimension();
    long expectedItems = (long) expected * dimension;
    if (expectedItems > Integer.MAX_VALUE) {
      throw new InvalidInputException(
          "One batch would hold " + expectedItems + " list items; read fewer rows at once");
    }
    this.items = ItemSink.of(type.item(), allocator, (int) expectedItems);
  }

  @Override
  void add(Block block, int from, int to) {
    if (!(block instanceof Block.FixedList list) || list.dimension() != dimension) {
      throw misfit(block, "fixed-size lists of " + dimension);
    }
    int start = Math.multiplyExact(from, dimension);
    int end = Math.multiplyExact(to, dimension);
    if (list.validity() != null) {
      if (itemValidity == null) {
        itemValidity = new BitBuffer(allocator, items.count() + (long) (end - start));
        itemValidity.appendRun(true, items.count());
      }
      itemValidity.append(list.validity(), start, end - start);
    } else if (itemValidity != null) {
      itemValidity.appendRun(true, end - start);
    }
    items.append(list.items(), start, end);
  }

  @Override
  void addEmpty(int n) {
    int more = Math.multiplyExact(n, dimension);
    if (itemValidity != null) {
      itemValidity.appendRun(true, more);
    }
    items.appendEmpty(more);
  }

  @Override
  public ArrayData finish(ArrowBuf validity, int nulls) {
    int itemNulls = itemValidity == null ? 0 : (int) itemValidity.zeros();
    ArrowBuf bits = itemNulls == 0 ? null : itemValidity.take();
    ArrayData child = items.finish(bits, itemNulls);
    return new ArrayData(count(), nulls, new ArrowBuf[] {validity}, child);
  }

  @Override
  public void close() {
    items.close();
    if (itemValidity != null) {
      itemValidity.close();
    }
  }
}
