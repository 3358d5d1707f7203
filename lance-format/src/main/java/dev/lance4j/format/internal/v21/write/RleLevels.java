package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import java.nio.ByteBuffer;

/** Runs of equal levels: the size of the values, the values, the lengths. From version 2.2 on. */
final class RleLevels implements LevelCodec {
  private final short[] levels;

  RleLevels(short[] levels) {
    this.levels = levels;
  }

  @Override
  public CompressiveEncoding encoding() {
    return RleChunks.encoding(Short.SIZE);
  }

  @Override
  public int maxBytes(int from, int to) {
    int entries = 0;
    for (int i = from; i < to; i = endOfRun(i, to)) {
      entries++;
    }
    return Long.BYTES + entries * (Short.BYTES + 1);
  }

  private int endOfRun(int start, int to) {
    int limit = Math.min(to, start + RleChunks.MAX_RUN);
    int end = start + 1;
    while (end < limit && levels[end] == levels[start]) {
      end++;
    }
    return end;
  }

  @Override
  public int write(int from, int to, ByteBuffer out, int at) {
    int bytes = maxBytes(from, to);
    int entries = (bytes - Long.BYTES) / (Short.BYTES + 1);
    int value = at + Long.BYTES;
    int length = value + entries * Short.BYTES;
    out.putLong(at, (long) entries * Short.BYTES);
    for (int i = from; i < to; ) {
      int end = endOfRun(i, to);
      out.putShort(value, levels[i]);
      out.put(length, (byte) (end - i));
      value += Short.BYTES;
      length++;
      i = end;
    }
    return bytes;
  }
}
