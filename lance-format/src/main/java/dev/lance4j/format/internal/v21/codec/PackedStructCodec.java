package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.v21.item.Block;
import dev.lance4j.format.internal.v21.item.ItemType;
import java.nio.ByteBuffer;

/** Rows of the children's values without gaps. */
final class PackedStructCodec implements ChunkCodec, ZipRowCodec {
  private final FlatCodec rows;

  /**
   * @param type whose children all have a fixed width
   */
  PackedStructCodec(ItemType.Packed type) {
    this.rows = new FlatCodec(type);
  }

  @Override
  public int bufferCount() {
    return 1;
  }

  @Override
  public Block decode(ByteBuffer[] buffers, int first, int count) {
    return rows.decode(buffers, first, count);
  }

  @Override
  public Block decode(ByteBuffer in, int count, boolean lasting) {
    return rows.decode(in, count, lasting);
  }
}
