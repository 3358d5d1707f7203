package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.data.ArrayData;
import java.util.List;

/** A field between a top-level field and its leaves, or one of these. */
interface FieldNode {
  /**
   * Checks that an array has the shape and the memory that the field's type needs.
   *
   * @throws dev.lance4j.format.InvalidInputException if not, naming the field
   */
  void check(ArrayData array);

  /** About how much memory the values from {@code from} to {@code to} take. */
  long bytes(ArrayData array, int from, int to);

  /**
   * Adds a batch for each leaf at or below this field, depth first.
   *
   * @param rows the number of top-level rows that the slots come from
   * @throws dev.lance4j.format.InvalidInputException if there is a null that the schema forbids
   */
  void shred(ArrayData array, Slots slots, int rows, List<LeafBatch> out);
}
