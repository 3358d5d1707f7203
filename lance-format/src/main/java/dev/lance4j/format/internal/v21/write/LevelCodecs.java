package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.kernel.FastLanes;

/** Chooses how the levels of a page are encoded, by what they are over the whole page. */
final class LevelCodecs {
  private LevelCodecs() {}

  /**
   * @param levels null gives null
   * @param runs whether the version has runs
   */
  static LevelCodec choose(short[] levels, boolean runs) {
    if (levels == null) {
      return null;
    }
    if (runs && runs(levels) < levels.length / 2.0) {
      return new RleLevels(levels);
    }
    int width = PageLevels.bitLength(levels);
    if (width == Short.SIZE) {
      return new FlatLevels(levels);
    }
    if (levels.length > FastLanes.GROUP) {
      return new BitpackedLevels(levels);
    }
    return FastLanes.packedBytes(width) < levels.length * Short.BYTES
        ? new InlineBitpackedLevels(levels)
        : new FlatLevels(levels);
  }

  private static int runs(short[] levels) {
    int runs = 0;
    for (int i = 0; i < levels.length; i++) {
      runs += i == 0 || levels[i] != levels[i - 1] ? 1 : 0;
    }
    return runs;
  }
}
