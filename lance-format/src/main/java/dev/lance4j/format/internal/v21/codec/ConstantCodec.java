package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.v21.item.Block;
import dev.lance4j.format.internal.v21.item.ItemType;
import java.nio.ByteBuffer;

/** One value for all items, or none at all; takes no bytes. */
final class ConstantCodec implements ChunkCodec, BlockCodec, ZipRowCodec {
  private final ItemType.Fixed type;
  private final byte[] value;

  /**
   * @param type of the items; null when there is no value
   * @param value the bytes of one item, or null for nulls only
   */
  ConstantCodec(ItemType.Fixed type, byte[] value) {
    this.type = type;
    this.value = value;
  }

  @Override
  public int bufferCount() {
    return 0;
  }

  @Override
  public Block decode(ByteBuffer[] buffers, int first, int count) {
    return repeat(count);
  }

  @Override
  public Block decode(ByteBuffer in, int count) {
    return repeat(count);
  }

  @Override
  public Block decode(ByteBuffer rows, int count, boolean lasting) {
    return repeat(count);
  }

  private Block repeat(int count) {
    if (value == null) {
      return new Block.Empty();
    }
    ByteBuffer out = Bytes.allocate(Math.multiplyExact(count, value.length));
    for (int i = 0; i < count; i++) {
      out.put(i * value.length, value);
    }
    return new Block.Fixed(out, type.bits(), false);
  }

  @Override
  public short[] decodeLevels(ByteBuffer in, int count) {
    return value == null ? new short[count] : BlockCodec.super.decodeLevels(in, count);
  }
}
