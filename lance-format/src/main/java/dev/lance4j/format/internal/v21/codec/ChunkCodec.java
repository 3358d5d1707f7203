package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;

/**
 * Decodes the value buffers of mini-block chunks. Stateless. Bytes that make no sense give an
 * {@link IllegalArgumentException}.
 */
public interface ChunkCodec {
  /** The number of buffers that a chunk has for this codec. */
  int bufferCount();

  /**
   * Decodes one chunk.
   *
   * @param buffers little-endian, each from index 0 to its limit
   * @param first the index of this codec's first buffer
   * @param count the number of items in the chunk
   * @return a block whose bytes may change when the same thread decodes another chunk
   */
  Block decode(ByteBuffer[] buffers, int first, int count);

  /**
   * Decodes at least some items of one chunk, for codecs that can leave the others out.
   *
   * @param wanted the items that are wanted, below {@code count}
   * @return a block in which these items have their places; what the others are is not defined
   */
  default Block decode(ByteBuffer[] buffers, int first, int count, ItemRuns wanted) {
    return decode(buffers, first, count);
  }
}
