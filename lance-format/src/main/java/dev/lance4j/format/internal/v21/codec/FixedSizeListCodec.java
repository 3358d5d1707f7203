package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;

/** The items of lists of one length, and for each item a bit if some of them are null. */
final class FixedSizeListCodec implements ChunkCodec {
  private final int dimension;
  private final boolean hasValidity;
  private final ChunkCodec items;

  FixedSizeListCodec(int dimension, boolean hasValidity, ChunkCodec items) {
    this.dimension = dimension;
    this.hasValidity = hasValidity;
    this.items = items;
  }

  @Override
  public int bufferCount() {
    return items.bufferCount() + (hasValidity ? 1 : 0);
  }

  @Override
  public Block decode(ByteBuffer[] buffers, int first, int count) {
    int itemCount = Math.multiplyExact(count, dimension);
    ByteBuffer validity = null;
    int next = first;
    if (hasValidity) {
      validity = buffers[next++];
      Bytes.require(validity, Bytes.size(itemCount, 1), "the validity of list items");
    }
    return new Block.FixedList(dimension, validity, items.decode(buffers, next, itemCount));
  }
}
