package dev.lance4j.format.internal.v21;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Pages of nested types with a single leaf. */
final class NestedColumns {
  private NestedColumns() {}

  /** Adds a page of random rows. */
  static void addPage(Column column, NestedType type, int rows, SplittableRandom random) {
    List<NestedType> path = new ArrayList<>();
    List<Integer> childIndex = new ArrayList<>();
    for (NestedType next = type; next != null; next = child(next)) {
      path.add(next);
      childIndex.add(0);
    }
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      values.add(type.value(random, 6));
    }
    NestedPages.add(column, new Shredder(path, childIndex, values, random), rows, random);
  }

  private static NestedType child(NestedType type) {
    if (type instanceof NestedType.Struct struct) {
      return struct.children().get(0);
    }
    return type instanceof NestedType.Items list ? list.item() : null;
  }
}
