package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.kernel.FastLanes;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import java.nio.ByteBuffer;

/** Levels of a page with at most 1024 of them, packed, behind their width. */
final class InlineBitpackedLevels implements LevelCodec {
  private final short[] levels;
  private final int width;

  InlineBitpackedLevels(short[] levels) {
    this.levels = levels;
    this.width = PageLevels.bitLength(levels);
  }

  @Override
  public CompressiveEncoding encoding() {
    return BitpackedChunks.encoding(Short.SIZE);
  }

  @Override
  public int maxBytes(int from, int to) {
    return Short.BYTES + FastLanes.packedBytes(width);
  }

  @Override
  public int write(int from, int to, ByteBuffer out, int at) {
    short[] group = new short[FastLanes.GROUP];
    System.arraycopy(levels, from, group, 0, to - from);
    out.putShort(at, (short) width);
    FastLanes.packShorts(width, group, 0, out, at + Short.BYTES);
    return maxBytes(from, to);
  }
}
