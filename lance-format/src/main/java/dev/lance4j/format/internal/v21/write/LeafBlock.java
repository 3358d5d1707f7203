package dev.lance4j.format.internal.v21.write;

/**
 * Values of a leaf, one for each slot. A block made from a batch shares the batch's memory and must
 * not outlive the call that the batch was given to.
 */
sealed interface LeafBlock
    permits FixedBlock, VariableBlock, ListBlock, DictionaryBlock, EmptyBlock {
  /** The number of values. */
  int count();

  /** About how much memory the values take. */
  long bytes();

  /** The size of the largest value in bytes; values of less than a byte count as 0. */
  int maxValueBytes();

  /** The values from {@code from} on. */
  LeafBlock slice(int from, int count);
}
