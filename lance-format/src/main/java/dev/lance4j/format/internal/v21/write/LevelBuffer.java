package dev.lance4j.format.internal.v21.write;

import java.util.Arrays;

/** Gathers the levels of batches until a page is written. */
final class LevelBuffer {
  private static final int MIN_CAPACITY = 1024;

  private final boolean repeated;
  private short[] rep = new short[0];
  private short[] def = new short[0];
  private boolean defined;
  private int size;

  /**
   * @param repeated whether the leaf lies in a list
   */
  LevelBuffer(boolean repeated) {
    this.repeated = repeated;
  }

  void append(Levels levels) {
    int total = Math.addExact(size, levels.size());
    if (repeated) {
      rep = fit(rep, total);
      levels.copyRep(rep, size);
    }
    if (levels.defined() || defined) {
      def = fit(def, total);
      if (!levels.defined()) {
        Arrays.fill(def, size, total, (short) 0);
      } else {
        if (!defined) {
          Arrays.fill(def, 0, size, (short) 0);
        }
        levels.copyDef(def, size);
      }
      defined |= levels.defined();
    }
    size = total;
  }

  private static short[] fit(short[] levels, int size) {
    return size <= levels.length
        ? levels
        : Arrays.copyOf(levels, Math.max(Math.max(MIN_CAPACITY, size), size + size / 2));
  }

  /** What was gathered; valid until the next change. */
  Levels view() {
    return new Levels(repeated ? rep : null, defined ? def : null, 0, size);
  }

  void clear() {
    size = 0;
    defined = false;
  }
}
