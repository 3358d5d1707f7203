package dev.lance4j.format.internal.v21.layout;

import dev.lance4j.format.internal.v21.level.LevelEntries;
import dev.lance4j.format.internal.v21.level.PageLayers;

/** The levels of one chunk, translated to the numbering of the column. */
final class ChunkLevels {
  private final PageLayers layers;
  private final short[] repetition;
  private final short[] definition;
  private final int entries;

  /**
   * @param repetition as stored; null without lists
   * @param definition as stored, translated here; null when all are 0
   * @throws IllegalArgumentException if the levels do not fit the layers or the number of items
   */
  ChunkLevels(PageLayers layers, short[] repetition, short[] definition, int entries, int items) {
    this.layers = layers;
    this.repetition = repetition;
    this.definition = definition;
    this.entries = entries;
    if (definition != null) {
      layers.translate(definition, entries);
    }
    if (repetition != null) {
      layers.checkRepetition(repetition, entries);
    }
    int visible = definition == null ? entries : layers.countVisible(definition, 0, entries);
    if (visible != items) {
      throw new IllegalArgumentException(items + " items for " + visible + " visible levels");
    }
  }

  int entries() {
    return entries;
  }

  /**
   * Checks that the chunk has this number of pieces.
   *
   * @param preamble whether the first piece is the end of a row of an earlier chunk
   */
  void checkPieces(int count, boolean preamble) {
    int max = layers.shape().listCount();
    if (repetition == null) {
      if (max > 0 || count != entries) {
        throw new IllegalArgumentException(entries + " levels for " + count + " rows");
      }
      return;
    }
    int rows = layers.countRows(repetition, entries);
    boolean startsWithRow = entries > 0 && repetition[0] == max;
    if (rows != count - (preamble ? 1 : 0) || (entries > 0 && startsWithRow == preamble)) {
      throw new IllegalArgumentException(
          "the levels have " + rows + " rows where the repetition index has " + count + " pieces");
    }
  }

  /**
   * The entries at which the pieces of the chunk begin, and the end.
   *
   * @param preamble whether the first piece is the end of a row of an earlier chunk
   * @throws IllegalArgumentException if there is not this number of pieces
   */
  int[] pieces(int count, boolean preamble) {
    checkPieces(count, preamble);
    int max = layers.shape().listCount();
    int[] starts = new int[count + 1];
    int n = preamble ? 1 : 0;
    for (int i = 0; i < entries; i++) {
      if (repetition[i] == max) {
        starts[n++] = i;
      }
    }
    starts[count] = entries;
    return starts;
  }

  /** The number of visible entries from {@code from} to {@code to}. */
  int visible(int from, int to) {
    return definition == null ? to - from : layers.countVisible(definition, from, to);
  }

  /** For each item whether it is null; the result is null itself when no item can be. */
  boolean[] nulls() {
    if (definition == null) {
      return null;
    }
    int max = layers.shape().maxVisible();
    boolean[] nulls = new boolean[visible(0, entries)];
    int item = 0;
    for (int i = 0; i < entries; i++) {
      if (definition[i] <= max) {
        nulls[item++] = definition[i] != 0;
      }
    }
    return nulls;
  }

  void appendTo(LevelEntries sink, int from, int to) {
    sink.append(repetition, definition, from, to);
  }
}
