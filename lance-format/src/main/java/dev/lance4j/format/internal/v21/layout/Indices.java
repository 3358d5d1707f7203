package dev.lance4j.format.internal.v21.layout;

import dev.lance4j.format.internal.v21.item.Block;
import dev.lance4j.format.internal.v21.item.Dictionary;
import java.nio.ByteBuffer;

/** Positions in a dictionary. */
final class Indices {
  private static final int NULL = -1;

  private Indices() {}

  /**
   * Reads and checks the positions of one chunk.
   *
   * @return the positions, -1 for nulls whose position is beyond the end
   * @throws IllegalArgumentException if the position of a valid item is beyond the end
   */
  static int[] of(Block positions, int count, Dictionary dictionary, ChunkLevels levels) {
    int[] indices = new int[count];
    if (positions instanceof Block.Fixed fixed) {
      read(fixed, indices);
    }
    boolean[] nulls = null;
    for (int i = 0; i < count; i++) {
      if (indices[i] < 0 || indices[i] >= dictionary.size()) {
        nulls = nulls == null ? levels.nulls() : nulls;
        if (nulls == null || !nulls[i]) {
          throw new IllegalArgumentException(
              "position " + indices[i] + " in a dictionary of " + dictionary.size() + " items");
        }
        indices[i] = NULL;
      }
    }
    return indices;
  }

  private static void read(Block.Fixed positions, int[] indices) {
    ByteBuffer bytes = positions.bytes();
    switch (positions.bits()) {
      case 8 -> {
        for (int i = 0; i < indices.length; i++) {
          indices[i] = bytes.get(i) & 0xff;
        }
      }
      case 16 -> {
        for (int i = 0; i < indices.length; i++) {
          indices[i] = bytes.getShort(2 * i) & 0xffff;
        }
      }
      case 32 -> bytes.asIntBuffer().get(0, indices);
      default -> {
        for (int i = 0; i < indices.length; i++) {
          long index = bytes.getLong(8 * i);
          indices[i] = index < 0 || index > Integer.MAX_VALUE ? NULL : (int) index;
        }
      }
    }
  }
}
