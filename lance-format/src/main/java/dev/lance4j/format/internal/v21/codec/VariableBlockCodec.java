package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;

/**
 * Strings in one buffer behind a header. The header is two words of the offsets' width: the width
 * in bits and where the bytes begin; older writers put a byte for the width and the number of
 * strings in front of the latter instead.
 */
final class VariableBlockCodec implements BlockCodec {
  @Override
  public Block decode(ByteBuffer in, int count) {
    if (count == 0) {
      return new Block.Variable(Bytes.allocate(0), new int[1]);
    }
    Bytes.require(in, Integer.BYTES, "the header of a block of strings");
    boolean old = in.get(1) != 0 || in.get(2) != 0 || in.get(3) != 0;
    int width = in.get(0) & 0xff;
    if (width != Integer.SIZE && width != Long.SIZE) {
      throw new IllegalArgumentException("string offsets of " + width + " bits");
    }
    int bytes = width / 8;
    int header = old ? 1 + 2 * bytes : 2 * bytes;
    long offsetsEnd = header + (count + 1L) * bytes;
    Bytes.require(in, offsetsEnd, "a block of " + count + " strings");
    long dataAt = word(in, header - bytes, bytes);
    if (dataAt < offsetsEnd || dataAt > in.limit()) {
      throw new IllegalArgumentException("the bytes of strings begin at " + dataAt);
    }
    if (old && word(in, 1, bytes) != count) {
      throw new IllegalArgumentException(
          "a block of " + word(in, 1, bytes) + " strings where " + count + " are expected");
    }
    return new Block.Variable(in, Offsets.read(in, header, bytes, count, (int) dataAt));
  }

  private static long word(ByteBuffer in, int at, int bytes) {
    return bytes == Integer.BYTES ? in.getInt(at) : in.getLong(at);
  }
}
