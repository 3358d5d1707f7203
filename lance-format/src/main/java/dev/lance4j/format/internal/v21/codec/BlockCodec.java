package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;

/**
 * Decodes single buffers that hold a known number of values: levels and dictionaries. Stateless.
 * Bytes that make no sense give an {@link IllegalArgumentException}.
 */
public interface BlockCodec {
  /**
   * Decodes a buffer.
   *
   * @param in little-endian, from index 0 to its limit
   * @param count the number of values
   */
  Block decode(ByteBuffer in, int count);

  /** Decodes a buffer of 16-bit levels. */
  default short[] decodeLevels(ByteBuffer in, int count) {
    short[] levels = new short[count];
    if (decode(in, count) instanceof Block.Fixed fixed && fixed.bits() == Short.SIZE) {
      fixed.bytes().asShortBuffer().get(0, levels);
    } else if (count > 0) {
      throw new IllegalArgumentException("levels that are not 16 bits wide");
    }
    return levels;
  }
}
