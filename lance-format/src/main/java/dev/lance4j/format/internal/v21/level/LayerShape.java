package dev.lance4j.format.internal.v21.level;

/**
 * The layers that the schema gives one column, innermost first: whether each is a list or an item
 * layer. All pages of the column share it; it fixes one numbering of levels for all of them, in
 * which an item layer takes one definition number (null) and a list layer two (null, empty).
 */
public final class LayerShape {
  private final boolean[] lists;
  private final int[] nullNumbers;
  private final boolean packed;
  private final int listCount;
  private final int maxVisible;

  /**
   * @param lists for each layer from the leaf outwards whether it is a list
   * @param packed whether the leaf is a packed struct, which may come with a layer for the packed
   *     rows in addition to the struct's own
   */
  public LayerShape(boolean[] lists, boolean packed) {
    this.lists = lists.clone();
    this.packed = packed;
    this.nullNumbers = new int[lists.length];
    int count = 0;
    int items = 0;
    int number = 1;
    for (int i = 0; i < lists.length; i++) {
      nullNumbers[i] = number;
      number += lists[i] ? 2 : 1;
      count += lists[i] ? 1 : 0;
      items += count == 0 ? 1 : 0;
    }
    this.listCount = count;
    this.maxVisible = items;
  }

  int size() {
    return lists.length;
  }

  boolean isList(int layer) {
    return lists[layer];
  }

  /** The definition number of a null in a layer; that of an empty list is one higher. */
  int nullNumber(int layer) {
    return nullNumbers[layer];
  }

  boolean packed() {
    return packed;
  }

  /** The number of list layers, which is the highest repetition level. */
  public int listCount() {
    return listCount;
  }

  /** The highest definition level of an entry that has an item of its own. */
  public int maxVisible() {
    return maxVisible;
  }
}
