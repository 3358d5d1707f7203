package dev.lance4j.format.internal.v21.item;

/**
 * Takes decoded items. Blocks that do not fit give an {@link IllegalArgumentException}; their bytes
 * may change after the call.
 */
public interface BlockSink {
  /** Appends the items of a block from {@code from} (inclusive) to {@code to} (exclusive). */
  void append(Block block, int from, int to);

  /**
   * Appends items of a dictionary.
   *
   * @param indices positions in the dictionary, or -1 for a null; none is beyond its end
   */
  default void appendIndexed(int[] indices, int from, int to, Dictionary dictionary) {
    append(dictionary.gather(indices, from, to), 0, to - from);
  }

  /** Appends zeros or empty values. */
  void appendEmpty(int n);
}
