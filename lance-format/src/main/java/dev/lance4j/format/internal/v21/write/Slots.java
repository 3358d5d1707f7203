package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import java.nio.ByteBuffer;

/**
 * What a walk from a top-level array down to a leaf has found so far: an entry for each item and
 * for each null or empty list on the way, and for those entries that own a slot in the array where
 * the walk stands, the slot's index. Immutable: brothers share what their parent found.
 */
final class Slots {
  private final int entries;
  private final short[] rep;
  private final short[] def;
  // Entries with a definition from 1 to here belong to lists that are null, empty or hidden.
  private final int floor;
  private final Runs runs;

  private Slots(int entries, short[] rep, short[] def, int floor, Runs runs) {
    this.entries = entries;
    this.rep = rep;
    this.def = def;
    this.floor = floor;
    this.runs = runs;
  }

  /** One entry and one slot for each of some rows of a top-level array. */
  static Slots rows(int from, int to) {
    return new Slots(to - from, null, null, 0, Runs.of(from, to - from));
  }

  /** The indices that the slots have in the array, in order. */
  Runs runs() {
    return runs;
  }

  Levels levels() {
    return new Levels(rep, def, 0, entries);
  }

  /** Whether any slot holds a null, or lies in a struct that is null. */
  boolean hasNullSlots() {
    if (def != null) {
      for (int e = 0; e < entries; e++) {
        if (def[e] > floor) {
          return true;
        }
      }
    }
    return false;
  }

  /** For each slot in order whether it holds a value. */
  boolean[] validSlots() {
    boolean[] valid = new boolean[runs.total()];
    int slot = 0;
    for (int e = 0; e < entries; e++) {
      if (isSlot(e)) {
        valid[slot++] = def == null || def[e] == 0;
      }
    }
    return valid;
  }

  private boolean isSlot(int entry) {
    return def == null || def[entry] == 0 || def[entry] > floor;
  }

  /**
   * Marks the slots that are null in an item layer.
   *
   * @param validity of the array where the walk stands; null when it has no nulls
   * @param depth the number of layers outside this one
   * @param nullable whether the schema allows nulls
   * @throws InvalidInputException if a null that no outer null hides is not allowed
   */
  Slots nulls(ByteBuffer validity, int depth, boolean nullable, String path) {
    if (validity == null) {
      return this;
    }
    short[] marked = null;
    Runs.Cursor cursor = runs.cursor();
    for (int e = 0; e < entries; e++) {
      if (isSlot(e) && !Bits.get(validity, cursor.next()) && (def == null || def[e] == 0)) {
        if (marked == null) {
          requireNullable(nullable, path);
          marked = def == null ? new short[entries] : def.clone();
        }
        marked[e] = Levels.nullCode(depth);
      }
    }
    return marked == null ? this : new Slots(entries, rep, marked, floor, runs);
  }

  static void requireNullable(boolean nullable, String path) {
    if (!nullable) {
      throw new InvalidInputException(
          "The field `"
              + path
              + "` contained null values even though the field is marked non-null in the schema");
    }
  }

  /**
   * Descends into lists. What lies in null lists, and in lists hidden by null structs, is left out.
   *
   * @param validity of the lists; null when none is null
   * @param depth the number of layers outside this one
   * @param list the number of lists outside this one
   */
  Slots items(
      ByteBuffer validity, Offsets offsets, int depth, int list, boolean nullable, String path) {
    int size = Math.toIntExact(countItems(validity, offsets));
    short[] itemRep = new short[size];
    short[] itemDef = new short[size];
    Runs items = new Runs();
    boolean defined = false;
    int out = 0;
    Runs.Cursor cursor = runs.cursor();
    for (int e = 0; e < entries; e++) {
      itemRep[out] = rep == null ? 0 : rep[e];
      int i = isSlot(e) ? cursor.next() : -1;
      if (def != null && def[e] != 0) {
        itemDef[out++] = def[e];
        defined = true;
      } else if (validity != null && !Bits.get(validity, i)) {
        requireNullable(nullable, path);
        itemDef[out++] = Levels.nullCode(depth);
        defined = true;
      } else {
        int length = (int) offsets.distance(i, i + 1);
        if (length == 0) {
          itemDef[out++] = Levels.emptyCode(depth);
          defined = true;
        } else {
          items.add((int) offsets.get(i), length);
          for (int further = out + 1; further < out + length; further++) {
            itemRep[further] = (short) (list + 1);
          }
          out += length;
        }
      }
    }
    return new Slots(size, itemRep, defined ? itemDef : null, Levels.emptyCode(depth), items);
  }

  private long countItems(ByteBuffer validity, Offsets offsets) {
    long size = 0;
    Runs.Cursor cursor = runs.cursor();
    for (int e = 0; e < entries; e++) {
      int i = isSlot(e) ? cursor.next() : -1;
      boolean list = (def == null || def[e] == 0) && (validity == null || Bits.get(validity, i));
      size += list ? Math.max(1, offsets.distance(i, i + 1)) : 1;
    }
    return size;
  }

  /** Descends into fixed-size lists of structs, whose every item has an entry; not inside lists. */
  Slots elements(int dimension) {
    if (dimension == 1) {
      return this;
    }
    short[] repeated = null;
    if (def != null) {
      repeated = new short[Math.multiplyExact(entries, dimension)];
      for (int i = 0; i < repeated.length; i++) {
        repeated[i] = def[i / dimension];
      }
    }
    return new Slots(
        Math.multiplyExact(entries, dimension), null, repeated, floor, runs.scaled(dimension));
  }

  /** The validity of an array as bits, or null when it has no nulls. */
  static ByteBuffer validity(ArrayData array) {
    return array.nullCount() == 0 || array.validity() == null
        ? null
        : Buffers.view(array.validity(), 0, Bits.bytes(array.length()));
  }
}
