package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.kernel.ByteStreamSplit;
import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;

/** All first bytes of the values, then all second bytes, and so on. */
final class ByteStreamSplitCodec implements ChunkCodec {
  private final int bits;

  /**
   * @param bits width of the values: 32 or 64
   */
  ByteStreamSplitCodec(int bits) {
    this.bits = bits;
  }

  @Override
  public int bufferCount() {
    return 1;
  }

  @Override
  public Block decode(ByteBuffer[] buffers, int first, int count) {
    ByteBuffer in = buffers[first];
    int width = bits / 8;
    Bytes.require(in, (long) count * width, "split bytes");
    byte[] out = new byte[count * width];
    ByteStreamSplit.merge(in, 0, count, width, out);
    return new Block.Fixed(Bytes.wrap(out), bits, false);
  }
}
