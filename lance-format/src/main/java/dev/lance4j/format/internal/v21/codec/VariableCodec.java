package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;

/** Strings: in a chunk offsets and then bytes, in a full-zip page the bytes alone. */
final class VariableCodec implements ChunkCodec, ZipCodec {
  private final int offsetBytes;

  /**
   * @param offsetBits width of the offsets, 32 or 64
   */
  VariableCodec(int offsetBits) {
    this.offsetBytes = offsetBits / 8;
  }

  @Override
  public int bufferCount() {
    return 1;
  }

  @Override
  public Block.Variable decode(ByteBuffer[] buffers, int first, int count) {
    ByteBuffer in = buffers[first];
    long dataAt = (count + 1L) * offsetBytes;
    Bytes.require(in, dataAt, "the offsets of " + count + " strings");
    return new Block.Variable(in, Offsets.read(in, 0, offsetBytes, count, (int) dataAt));
  }

  @Override
  public Block.Variable decode(ByteBuffer in, int[] starts, int[] lengths, int count) {
    int[] offsets = new int[count + 1];
    for (int i = 0; i < count; i++) {
      offsets[i + 1] = Math.addExact(offsets[i], Math.max(0, lengths[i]));
    }
    byte[] out = new byte[offsets[count]];
    for (int i = 0; i < count; i++) {
      if (lengths[i] > 0) {
        in.get(starts[i], out, offsets[i], lengths[i]);
      }
    }
    return new Block.Variable(Bytes.wrap(out), offsets);
  }
}
