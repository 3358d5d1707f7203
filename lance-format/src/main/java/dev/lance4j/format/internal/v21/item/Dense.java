package dev.lance4j.format.internal.v21.item;

import java.nio.ByteBuffer;

/** Items stored one after the other without any validity inside. */
public final class Dense {
  private Dense() {}

  /**
   * The block of items of a type with a fixed width.
   *
   * @param bytes the items, from index 0
   * @param lasting whether the bytes are those of the file
   */
  public static Block block(ItemType type, ByteBuffer bytes, boolean lasting) {
    if (type instanceof ItemType.FixedList list) {
      return new Block.FixedList(list.dimension(), null, block(list.item(), bytes, lasting));
    }
    long width = type.width();
    if (width == ItemType.NO_WIDTH) {
      throw new IllegalArgumentException("values of a fixed width where a column has none");
    }
    return new Block.Fixed(bytes, Math.toIntExact(width), lasting);
  }
}
