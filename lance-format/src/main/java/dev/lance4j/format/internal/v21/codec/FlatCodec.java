package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.v21.item.Block;
import dev.lance4j.format.internal.v21.item.Dense;
import dev.lance4j.format.internal.v21.item.ItemType;
import java.nio.ByteBuffer;

/** Values back to back, as Arrow has them. */
final class FlatCodec implements ChunkCodec, BlockCodec, ZipRowCodec {
  private final ItemType type;
  private final long bits;

  /**
   * @param type of a fixed width
   */
  FlatCodec(ItemType type) {
    this.type = type;
    this.bits = type.width();
  }

  @Override
  public int bufferCount() {
    return 1;
  }

  @Override
  public Block decode(ByteBuffer[] buffers, int first, int count) {
    return decode(buffers[first], count);
  }

  @Override
  public Block decode(ByteBuffer in, int count) {
    return decode(in, count, true);
  }

  @Override
  public Block decode(ByteBuffer rows, int count, boolean lasting) {
    Bytes.require(rows, Bytes.size(count, bits), "flat data");
    return Dense.block(type, rows, lasting);
  }
}
