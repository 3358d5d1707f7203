package dev.lance4j.index.vector.internal.kmeans;

import java.util.SplittableRandom;

/** Random choices of rows. */
public final class RandomRows {
  private RandomRows() {}

  /** {@code k} different numbers less than {@code count}, in no order. */
  public static int[] choose(int count, int k, SplittableRandom random) {
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
    int[] chosen = new int[k];
    for (int c = 0; c < k; c++) {
      int i = c + random.nextInt(count - c);
      chosen[c] = order[i];
      order[i] = order[c];
    }
    return chosen;
  }
}
