package dev.lance4j.format.internal.v21;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The levels and values of one leaf of nested values, by the letter of the format's description.
 */
final class Shredder {
  /** One entry; the value is null when there is none, as for a null. */
  record Entry(int rep, int def, Integer value) {}

  private final List<NestedType> path;
  private final List<Integer> childIndex;
  private final int[] nullNumber;
  private final int[] emptyNumber;
  private final int[] listNumber;
  private final int lists;
  private final int maxVisible;
  private final int maxDefinition;
  private final int[] kinds;
  private final List<Entry> entries = new ArrayList<>();

  /**
   * @param path from the top-level type to the leaf
   * @param childIndex for each struct in the path which child comes next
   * @param rows whose nulls and empty lists the layers must be able to tell
   */
  Shredder(
      List<NestedType> path, List<Integer> childIndex, List<Object> rows, SplittableRandom random) {
    this.path = path;
    this.childIndex = childIndex;
    int n = path.size();
    boolean[] nulls = new boolean[n];
    boolean[] empties = new boolean[n];
    for (Object row : rows) {
      scan(0, row, nulls, empties);
    }
    this.nullNumber = new int[n];
    this.emptyNumber = new int[n];
    this.listNumber = new int[n];
    this.kinds = new int[n];
    int number = 0;
    int list = 0;
    int visible = -1;
    for (int i = n - 1; i >= 0; i--) {
      boolean isNull = nulls[i] || random.nextInt(4) == 0;
      if (path.get(i) instanceof NestedType.Items) {
        visible = visible < 0 ? number : visible;
        boolean isEmpty = empties[i] || random.nextInt(4) == 0;
        listNumber[i] = ++list;
        kinds[n - 1 - i] = isNull ? (isEmpty ? 6 : 4) : isEmpty ? 5 : 2;
        nullNumber[i] = isNull ? ++number : 0;
        emptyNumber[i] = isEmpty ? ++number : 0;
      } else {
        kinds[n - 1 - i] = isNull ? 3 : 1;
        nullNumber[i] = isNull ? ++number : 0;
      }
    }
    this.lists = list;
    this.maxDefinition = number;
    this.maxVisible = visible < 0 ? number : visible;
    for (Object row : rows) {
      emit(0, row, lists);
    }
  }

  private void scan(int level, Object value, boolean[] nulls, boolean[] empties) {
    if (value == null) {
      nulls[level] = true;
    } else if (path.get(level) instanceof NestedType.Struct) {
      scan(level + 1, child(level, value), nulls, empties);
    } else if (value instanceof List<?> items) {
      empties[level] |= items.isEmpty();
      items.forEach(item -> scan(level + 1, item, nulls, empties));
    }
  }

  private Object child(int level, Object value) {
    return ((List<?>) value).get(childIndex.get(level));
  }

  private void emit(int level, Object value, int rep) {
    NestedType type = path.get(level);
    if (value == null) {
      int copies = 1;
      for (int i = level; i < path.size(); i++) {
        copies *= path.get(i) instanceof NestedType.FixedItems list ? list.dimension() : 1;
      }
      for (int i = 0; i < copies; i++) {
        entries.add(new Entry(rep, nullNumber[level], null));
      }
    } else if (type instanceof NestedType.Struct) {
      emit(level + 1, child(level, value), rep);
    } else if (type instanceof NestedType.FixedItems) {
      ((List<?>) value).forEach(item -> emit(level + 1, item, rep));
    } else if (type instanceof NestedType.Items) {
      List<?> items = (List<?>) value;
      if (items.isEmpty()) {
        entries.add(new Entry(rep, emptyNumber[level], null));
      }
      for (int i = 0; i < items.size(); i++) {
        emit(level + 1, items.get(i), i == 0 ? rep : listNumber[level] - 1);
      }
    } else {
      entries.add(new Entry(rep, 0, (Integer) value));
    }
  }

  List<Entry> entries() {
    return entries;
  }

  /** The layers' kinds, innermost first. */
  int[] kinds() {
    return kinds;
  }

  /** The number of list layers. */
  int lists() {
    return lists;
  }

  int maxDefinition() {
    return maxDefinition;
  }

  boolean isVisible(Entry entry) {
    return entry.def() <= maxVisible;
  }

  /** How many entries a row has for fixed-size lists. */
  int entriesPerRow() {
    int entriesPerRow = 1;
    for (NestedType type : path) {
      entriesPerRow *= type instanceof NestedType.FixedItems list ? list.dimension() : 1;
    }
    return entriesPerRow;
  }
}
