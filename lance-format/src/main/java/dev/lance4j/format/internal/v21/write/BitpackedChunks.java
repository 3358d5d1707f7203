package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.kernel.FastLanes;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.InlineBitpacking;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Numbers packed to the bits of the chunk's largest; the width stands before them. */
final class BitpackedChunks implements ValueChunks {
  private final FixedBlock block;
  private final long[] values = new long[FastLanes.GROUP];

  BitpackedChunks(FixedBlock block) {
    this.block = block;
  }

  @Override
  public CompressiveEncoding encoding() {
    return encoding(block.bits());
  }

  /** Packed numbers of a width. */
  static CompressiveEncoding encoding(int bits) {
    return CompressiveEncoding.newBuilder()
        .setInlineBitpacking(InlineBitpacking.newBuilder().setUncompressedBitsPerValue(bits))
        .build();
  }

  @Override
  public int buffers() {
    return 1;
  }

  @Override
  public int count() {
    return block.count();
  }

  @Override
  public int propose(int from) {
    return Math.min(FastLanes.GROUP, block.count() - from);
  }

  @Override
  public boolean divisible() {
    return false;
  }

  @Override
  public long maxBytes(int from, int count) {
    return ValueChunks.padded(block.width() + (long) FastLanes.packedBytes(block.bits()));
  }

  @Override
  public void write(int from, int count, ChunkSink out) {
    FixedValues.read(block, from, count, values);
    Arrays.fill(values, count, FastLanes.GROUP, 0);
    int width = FixedValues.bitWidth(values, count);
    ByteBuffer to = out.room(maxBytes(from, count));
    FixedValues.put(to, out.at(), block.width(), width);
    pack(width, to, out.at() + block.width());
    out.endValues(block.width() + FastLanes.packedBytes(width));
  }

  private void pack(int width, ByteBuffer to, int at) {
    switch (block.bits()) {
      case Byte.SIZE -> {
        byte[] narrow = new byte[FastLanes.GROUP];
        for (int i = 0; i < narrow.length; i++) {
          narrow[i] = (byte) values[i];
        }
        FastLanes.packBytes(width, narrow, 0, to, at);
      }
      case Short.SIZE -> {
        short[] narrow = new short[FastLanes.GROUP];
        for (int i = 0; i < narrow.length; i++) {
          narrow[i] = (short) values[i];
        }
        FastLanes.packShorts(width, narrow, 0, to, at);
      }
      case Integer.SIZE -> {
        int[] narrow = new int[FastLanes.GROUP];
        for (int i = 0; i < narrow.length; i++) {
          narrow[i] = (int) values[i];
        }
        FastLanes.packInts(width, narrow, 0, to, at);
      }
      default -> FastLanes.packLongs(width, values, 0, to, at);
    }
  }
}
