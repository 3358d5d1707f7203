package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.kernel.FastLanes;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.OutOfLineBitpacking;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Levels packed in groups of 1024 to the bits of the page's largest, which the page states. */
final class BitpackedLevels implements LevelCodec {
  private final short[] levels;
  private final int width;

  BitpackedLevels(short[] levels) {
    this.levels = levels;
    this.width = PageLevels.bitLength(levels);
  }

  @Override
  public CompressiveEncoding encoding() {
    return CompressiveEncoding.newBuilder()
        .setOutOfLineBitpacking(
            OutOfLineBitpacking.newBuilder()
                .setUncompressedBitsPerValue(Short.SIZE)
                .setValues(Encodings.flat(width)))
        .build();
  }

  @Override
  public int maxBytes(int from, int to) {
    int count = to - from;
    int tail = count % FastLanes.GROUP;
    int groups = count / FastLanes.GROUP + (isPacked(tail) ? 1 : 0);
    return groups * FastLanes.packedBytes(width) + (isPacked(tail) ? 0 : tail * Short.BYTES);
  }

  /** Whether the entries after the last whole group are packed too: when that takes less. */
  private boolean isPacked(int tail) {
    return tail * Short.BYTES > FastLanes.packedBytes(width);
  }

  @Override
  public int write(int from, int to, ByteBuffer out, int at) {
    int next = at;
    int i = from;
    for (; to - i >= FastLanes.GROUP; i += FastLanes.GROUP) {
      FastLanes.packShorts(width, levels, i, out, next);
      next += FastLanes.packedBytes(width);
    }
    if (isPacked(to - i)) {
      short[] padded = Arrays.copyOf(Arrays.copyOfRange(levels, i, to), FastLanes.GROUP);
      FastLanes.packShorts(width, padded, 0, out, next);
      next += FastLanes.packedBytes(width);
    } else {
      for (; i < to; i++) {
        out.putShort(next, levels[i]);
        next += Short.BYTES;
      }
    }
    return next - at;
  }
}
