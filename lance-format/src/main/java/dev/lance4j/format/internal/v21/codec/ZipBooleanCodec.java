package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;

/** Booleans of a full-zip page: one byte each. */
final class ZipBooleanCodec implements ZipRowCodec {
  @Override
  public Block decode(ByteBuffer rows, int count, boolean lasting) {
    Bytes.require(rows, count, "booleans");
    return new Block.Fixed(rows, Byte.SIZE, false);
  }
}
