package dev.lance4j.format.internal.v21.write;

import java.nio.ByteBuffer;

/** Fixed-size lists of fixed-width values, perhaps of fixed-size lists. */
final class ListBlock implements LeafBlock {
  private final int count;
  private final int[] dimensions;
  private final ByteBuffer[] validity;
  private final FixedBlock items;

  /**
   * @param dimensions of the lists, outermost first
   * @param validity for each dimension the bits of its lists' items, or null when none is null
   * @param items the innermost values
   */
  ListBlock(int count, int[] dimensions, ByteBuffer[] validity, FixedBlock items) {
    this.count = count;
    this.dimensions = dimensions;
    this.validity = validity;
    this.items = items;
  }

  @Override
  public int count() {
    return count;
  }

  /** The number of layers of lists. */
  int layers() {
    return dimensions.length;
  }

  int dimension(int layer) {
    return dimensions[layer];
  }

  /** The validity of a layer's items, outermost first; null when none is null. */
  ByteBuffer validity(int layer) {
    return validity[layer];
  }

  FixedBlock items() {
    return items;
  }

  /** Whether any item of any layer is null. */
  boolean hasNullItems() {
    for (ByteBuffer bits : validity) {
      if (bits != null) {
        return true;
      }
    }
    return false;
  }

  /** The number of items per value in a layer of lists. */
  int itemsPerValue(int layer) {
    int items = 1;
    for (int i = 0; i <= layer; i++) {
      items = Math.multiplyExact(items, dimensions[i]);
    }
    return items;
  }

  /** The number of innermost values per value. */
  int itemsPerValue() {
    return itemsPerValue(dimensions.length - 1);
  }

  @Override
  public long bytes() {
    long bytes = items.bytes();
    for (ByteBuffer bits : validity) {
      bytes += bits == null ? 0 : bits.capacity();
    }
    return bytes;
  }

  @Override
  public int maxValueBytes() {
    return Math.multiplyExact(items.width(), itemsPerValue());
  }

  @Override
  public ListBlock slice(int from, int length) {
    ByteBuffer[] bits = new ByteBuffer[validity.length];
    for (int i = 0; i < bits.length; i++) {
      int per = itemsPerValue(i);
      bits[i] = validity[i] == null ? null : FixedType.bits(validity[i], from * per, length * per);
    }
    int per = itemsPerValue();
    return new ListBlock(length, dimensions, bits, items.slice(from * per, length * per));
  }
}
