package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.data.ArrayData;
import java.util.List;

/**
 * A fixed-size list of structs: one item layer, which the levels of each element repeat.
 *
 * @param path the list's path
 * @param depth the number of layers outside it
 * @param nullable whether the schema allows null lists
 * @param dimension the number of elements
 * @param element the elements
 */
record ElementsNode(String path, int depth, boolean nullable, int dimension, FieldNode element)
    implements FieldNode {
  @Override
  public void check(ArrayData array) {
    Check.layout(array, 1, 1, path);
    Check.childLength(array.child(0), (long) array.length() * dimension, path);
    element.check(array.child(0));
  }

  @Override
  public long bytes(ArrayData array, int from, int to) {
    return element.bytes(
        array.child(0), Math.multiplyExact(from, dimension), Math.multiplyExact(to, dimension));
  }

  @Override
  public void shred(ArrayData array, Slots slots, int rows, List<LeafBatch> out) {
    Slots found = slots.nulls(Slots.validity(array), depth, nullable, path);
    element.shred(array.child(0), found.elements(dimension), rows, out);
  }
}
