package dev.lance4j.format.internal.v21.write;

/**
 * Rows of one leaf.
 *
 * @param rows the number of top-level rows
 * @param levels the structure
 * @param block a value for each entry that owns a slot
 */
record LeafBatch(int rows, Levels levels, LeafBlock block) {
  /** About how much memory it takes. */
  long bytes() {
    return block.bytes() + levels.bytes();
  }

  /**
   * Some of the rows.
   *
   * @param leaf the leaf that this belongs to
   */
  LeafBatch slice(Leaf leaf, int fromRow, int toRow) {
    int from = levels.startOfRow(fromRow * leaf.elementsPerRow());
    int to = levels.startOfRow(toRow * leaf.elementsPerRow());
    int floor = floor(leaf);
    int firstSlot = slots(0, from, floor);
    return new LeafBatch(
        toRow - fromRow, levels.slice(from, to), block.slice(firstSlot, slots(from, to, floor)));
  }

  /** The largest definition of an entry without a slot. */
  private static int floor(Leaf leaf) {
    return leaf.innermostList() < 0 ? 0 : Levels.emptyCode(leaf.innermostList());
  }

  private int slots(int from, int to, int floor) {
    if (!levels.defined() || floor == 0) {
      return to - from;
    }
    int slots = 0;
    for (int e = from; e < to; e++) {
      slots += levels.def(e) == 0 || levels.def(e) > floor ? 1 : 0;
    }
    return slots;
  }
}
