package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import java.nio.ByteBuffer;

/** Levels as they are, 16 bits each. */
final class FlatLevels implements LevelCodec {
  private final short[] levels;

  FlatLevels(short[] levels) {
    this.levels = levels;
  }

  @Override
  public CompressiveEncoding encoding() {
    return Encodings.flat(Short.SIZE);
  }

  @Override
  public int maxBytes(int from, int to) {
    return Math.multiplyExact(to - from, Short.BYTES);
  }

  @Override
  public int write(int from, int to, ByteBuffer out, int at) {
    for (int i = from; i < to; i++) {
      out.putShort(at + (i - from) * Short.BYTES, levels[i]);
    }
    return maxBytes(from, to);
  }
}
