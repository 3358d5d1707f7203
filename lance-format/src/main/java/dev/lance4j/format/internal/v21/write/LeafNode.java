package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.data.ArrayData;
import java.util.List;

/**
 * The end of a walk.
 *
 * @param leaf the column
 * @param nullable whether the schema allows nulls
 */
record LeafNode(Leaf leaf, boolean nullable) implements FieldNode {
  @Override
  public void check(ArrayData array) {
    leaf.type().check(array, leaf.path());
  }

  @Override
  public long bytes(ArrayData array, int from, int to) {
    return leaf.type().bytes(array, from, to);
  }

  @Override
  public void shred(ArrayData array, Slots slots, int rows, List<LeafBatch> out) {
    int depth = leaf.layers().size() - 1;
    Slots found = slots.nulls(leaf.type().validity(array), depth, nullable, leaf.path());
    out.add(new LeafBatch(rows, found.levels(), leaf.type().block(array, found, leaf.path())));
  }
}
