package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.v21.write.Leaf.Layer;
import dev.lance4j.format.proto.encodings21.RepDefLayer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The structure of one page as it is stored: the layers that describe its data, and repetition and
 * definition in the numbers that follow from them.
 */
final class PageLevels {
  private final int rows;
  private final int entries;
  private final int lists;
  private final List<RepDefLayer> layers = new ArrayList<>();
  // By the definitions of Levels.
  private final short[] numbers;
  private short[] rep;
  private short[] def;
  private int next = 1;
  private int maxVisible;
  private int itemNumbers;
  private int visible;
  private int valid;
  private boolean hiddenFromFullZip;

  /**
   * @param leaf the column
   * @param levels of the page's rows
   * @param rows the number of the column's rows
   * @param uniform whether layers are declared by what the schema allows, not by what the page has
   */
  PageLevels(Leaf leaf, Levels levels, int rows, boolean uniform) {
    this.rows = rows;
    this.entries = levels.size();
    this.lists = leaf.lists();
    int depths = leaf.layers().size();
    this.numbers = new short[2 * depths + 1];
    boolean[] seen = new boolean[numbers.length];
    if (levels.defined()) {
      for (int e = 0; e < entries; e++) {
        seen[levels.def(e)] = true;
      }
    }
    List<RepDefLayer> outermostFirst = chooseLayers(leaf.layers(), seen, uniform);
    numberLayers(outermostFirst, leaf.innermostList());
    Collections.reverse(outermostFirst);
    layers.addAll(outermostFirst);
    number(levels);
  }

  /** A null struct hides what is below it down to the next list, so that all of it is nullable. */
  private static List<RepDefLayer> chooseLayers(
      List<Layer> kinds, boolean[] seen, boolean uniform) {
    List<RepDefLayer> chosen = new ArrayList<>(kinds.size());
    boolean hidden = false;
    for (int depth = 0; depth < kinds.size(); depth++) {
      Layer layer = kinds.get(depth);
      boolean nulls = hidden || seen[Levels.nullCode(depth)] || (uniform && layer.nullable());
      if (!layer.isList()) {
        chosen.add(nulls ? RepDefLayer.REPDEF_NULLABLE_ITEM : RepDefLayer.REPDEF_ALL_VALID_ITEM);
        hidden = nulls;
      } else {
        chosen.add(listLayer(nulls, uniform || seen[Levels.emptyCode(depth)]));
        hidden = false;
      }
    }
    return chosen;
  }

  private static RepDefLayer listLayer(boolean nulls, boolean empties) {
    if (nulls) {
      return empties ? RepDefLayer.REPDEF_NULL_AND_EMPTY_LIST : RepDefLayer.REPDEF_NULLABLE_LIST;
    }
    return empties ? RepDefLayer.REPDEF_EMPTYABLE_LIST : RepDefLayer.REPDEF_ALL_VALID_LIST;
  }

  private void numberLayers(List<RepDefLayer> chosen, int innermostList) {
    for (int depth = chosen.size() - 1; depth >= 0; depth--) {
      RepDefLayer layer = chosen.get(depth);
      if (depth == innermostList) {
        maxVisible = next - 1;
      }
      if (layer == RepDefLayer.REPDEF_NULLABLE_ITEM) {
        itemNumbers++;
      }
      if (layer == RepDefLayer.REPDEF_NULLABLE_ITEM
          || layer == RepDefLayer.REPDEF_NULLABLE_LIST
          || layer == RepDefLayer.REPDEF_NULL_AND_EMPTY_LIST) {
        numbers[Levels.nullCode(depth)] = (short) next++;
      }
      if (layer == RepDefLayer.REPDEF_EMPTYABLE_LIST
          || layer == RepDefLayer.REPDEF_NULL_AND_EMPTY_LIST) {
        numbers[Levels.emptyCode(depth)] = (short) next++;
      }
    }
    if (innermostList < 0) {
      maxVisible = next - 1;
    }
  }

  private void number(Levels levels) {
    if (levels.repeated()) {
      rep = new short[entries];
      for (int e = 0; e < entries; e++) {
        rep[e] = (short) (lists - levels.rep(e));
      }
    }
    if (next == 1) {
      visible = entries;
      valid = entries;
      return;
    }
    def = new short[entries];
    for (int e = 0; e < entries; e++) {
      int number = levels.defined() ? numbers[levels.def(e)] : 0;
      def[e] = (short) number;
      visible += number <= maxVisible ? 1 : 0;
      valid += number == 0 ? 1 : 0;
      hiddenFromFullZip |= number > maxVisible && number <= itemNumbers;
    }
  }

  /** The number of the column's rows in the page. */
  int rows() {
    return rows;
  }

  /** The number of entries. */
  int entries() {
    return entries;
  }

  /** The layers, innermost first. */
  List<RepDefLayer> layers() {
    return layers;
  }

  /** The repetition of each entry, or null outside lists. */
  short[] rep() {
    return rep;
  }

  /** The definition of each entry, or null when nothing is null or empty. */
  short[] def() {
    return def;
  }

  /** The number of entries that own a slot among the values. */
  int visible() {
    return visible;
  }

  /** The number of entries with a value. */
  int valid() {
    return valid;
  }

  boolean isVisible(int entry) {
    return def == null || def[entry] <= maxVisible;
  }

  boolean isValid(int entry) {
    return def == null || def[entry] == 0;
  }

  /** Whether entry {@code entry} begins a row; the entry after the last one counts as such. */
  boolean startsRow(int entry) {
    return rep == null || entry == entries || rep[entry] == lists;
  }

  /**
   * Whether release 7.0.0 cannot read the page in the full-zip layout: it takes entries up to the
   * sum of all item layers' numbers for visible, those outside the innermost list included.
   */
  boolean hiddenFromFullZip() {
    return hiddenFromFullZip;
  }

  /** For each slot whether it holds a value; null when all do. */
  boolean[] validSlots() {
    if (valid == visible) {
      return null;
    }
    boolean[] slots = new boolean[visible];
    int slot = 0;
    for (int e = 0; e < entries; e++) {
      if (isVisible(e)) {
        slots[slot++] = isValid(e);
      }
    }
    return slots;
  }

  /** The entry after the one that owns the {@code slots}-th slot counted from {@code entry}. */
  int skip(int entry, int slots) {
    if (visible == entries) {
      return entry + slots;
    }
    int left = slots;
    int e = entry;
    while (left > 0) {
      left -= isVisible(e) ? 1 : 0;
      e++;
    }
    return e;
  }

  /** The number of bits that each number takes, at least 1. */
  static int bitLength(short[] levels) {
    int all = 1;
    for (short level : levels) {
      all |= level & 0xFFFF;
    }
    return Integer.SIZE - Integer.numberOfLeadingZeros(all);
  }
}
