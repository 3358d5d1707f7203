package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.data.ArrayData;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Fixed-size lists of fixed-width values, perhaps of fixed-size lists.
 *
 * @param layers the lists, outermost first
 * @param items the innermost values
 */
record ListType(List<Layer> layers, FixedType items) implements LeafType {
  /**
   * Lists in lists.
   *
   * @param dimension the number of items in a list
   * @param nullable whether items may be null
   * @param path the items' path
   */
  record Layer(int dimension, boolean nullable, String path) {}

  @Override
  public void check(ArrayData array, String path) {
    ArrayData lists = array;
    for (Layer layer : layers) {
      Check.layout(lists, 1, 1, path);
      ArrayData child = lists.child(0);
      Check.childLength(child, (long) lists.length() * layer.dimension(), layer.path());
      lists = child;
    }
    items.check(lists, path);
  }

  @Override
  public long bytes(ArrayData array, int from, int to) {
    long values = (long) to - from;
    for (Layer layer : layers) {
      values = Math.multiplyExact(values, layer.dimension());
    }
    return Math.multiplyExact(values, items.bits()) >> 3;
  }

  @Override
  public ByteBuffer validity(ArrayData array) {
    return Slots.validity(array);
  }

  @Override
  public ListBlock block(ArrayData array, Slots slots, String path) {
    int[] dimensions = new int[layers.size()];
    ByteBuffer[] validity = new ByteBuffer[layers.size()];
    ArrayData lists = array;
    Runs runs = slots.runs();
    ByteBuffer shown = slots.hasNullSlots() ? toBits(slots.validSlots()) : null;
    for (int i = 0; i < dimensions.length; i++) {
      Layer layer = layers.get(i);
      dimensions[i] = layer.dimension();
      lists = lists.child(0);
      runs = runs.scaled(layer.dimension());
      ByteBuffer nulls = Slots.validity(lists);
      ByteBuffer itemValidity = nulls == null ? null : FixedType.gatherBits(nulls, runs);
      if (hasShownNull(itemValidity, shown, runs.total(), layer.dimension())) {
        Slots.requireNullable(layer.nullable(), layer.path());
        validity[i] = itemValidity;
      }
      shown = shownItems(validity[i], shown, runs.total(), layer.dimension());
    }
    return new ListBlock(slots.runs().total(), dimensions, validity, items.gather(lists, runs));
  }

  private static ByteBuffer toBits(boolean[] values) {
    ByteBuffer bits = Buffers.heap(Bits.bytes(values.length));
    for (int i = 0; i < values.length; i++) {
      Bits.set(bits, i, values[i]);
    }
    return bits;
  }

  /** Whether an item is null that lies in a list which is not; nulls in null lists do not count. */
  private static boolean hasShownNull(
      ByteBuffer validity, ByteBuffer shown, int items, int dimension) {
    if (validity == null) {
      return false;
    }
    for (int i = 0; i < items; i++) {
      if (!Bits.get(validity, i) && (shown == null || Bits.get(shown, i / dimension))) {
        return true;
      }
    }
    return false;
  }

  /** For each item whether neither it nor any list around it is null; null when all are so. */
  private static ByteBuffer shownItems(
      ByteBuffer validity, ByteBuffer shown, int items, int dimension) {
    if (validity == null && shown == null) {
      return null;
    }
    ByteBuffer bits = Buffers.heap(Bits.bytes(items));
    for (int i = 0; i < items; i++) {
      boolean list = shown == null || Bits.get(shown, i / dimension);
      Bits.set(bits, i, list && (validity == null || Bits.get(validity, i)));
    }
    return bits;
  }

  @Override
  public BlockBuffer buffer(BufferAllocator allocator) {
    return new ListBuffer(this, allocator);
  }
}
