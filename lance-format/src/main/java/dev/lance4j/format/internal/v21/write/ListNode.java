package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.data.ArrayData;
import java.util.List;

/**
 * A list, large list or map: one list layer.
 *
 * @param path the list's path
 * @param wide whether offsets take 8 bytes
 * @param depth the number of layers outside it
 * @param list the number of lists outside it
 * @param nullable whether the schema allows null lists
 * @param item the items
 */
record ListNode(String path, boolean wide, int depth, int list, boolean nullable, FieldNode item)
    implements FieldNode {
  private Offsets offsets(ArrayData array) {
    return new Offsets(array.buffer(1), wide);
  }

  @Override
  public void check(ArrayData array) {
    Check.layout(array, 2, 1, path);
    offsets(array).check(array.length(), array.child(0).length(), path);
    item.check(array.child(0));
  }

  @Override
  public long bytes(ArrayData array, int from, int to) {
    if (from == to) {
      return 0;
    }
    Offsets offsets = offsets(array);
    long levels = 4L * (to - from);
    return levels + item.bytes(array.child(0), (int) offsets.get(from), (int) offsets.get(to));
  }

  @Override
  public void shred(ArrayData array, Slots slots, int rows, List<LeafBatch> out) {
    Slots items = slots.items(Slots.validity(array), offsets(array), depth, list, nullable, path);
    item.shred(array.child(0), items, rows, out);
  }
}
