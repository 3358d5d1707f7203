package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.data.ArrayData;
import java.util.List;

/**
 * A struct: one item layer, shared by its children.
 *
 * @param path the struct's path
 * @param depth the number of layers outside it
 * @param nullable whether the schema allows nulls
 * @param children at least one
 * @param childPaths their paths
 */
record StructNode(
    String path, int depth, boolean nullable, List<FieldNode> children, List<String> childPaths)
    implements FieldNode {
  @Override
  public void check(ArrayData array) {
    Check.layout(array, 1, children.size(), path);
    for (int i = 0; i < children.size(); i++) {
      Check.childLength(array.child(i), array.length(), childPaths.get(i));
      children.get(i).check(array.child(i));
    }
  }

  @Override
  public long bytes(ArrayData array, int from, int to) {
    long bytes = 0;
    for (int i = 0; i < children.size(); i++) {
      bytes += children.get(i).bytes(array.child(i), from, to);
    }
    return bytes;
  }

  @Override
  public void shred(ArrayData array, Slots slots, int rows, List<LeafBatch> out) {
    Slots found = slots.nulls(Slots.validity(array), depth, nullable, path);
    for (int i = 0; i < children.size(); i++) {
      children.get(i).shred(array.child(i), found, rows, out);
    }
  }
}
