package dev.lance4j.format.internal.v21.write;

/**
 * Repetition and definition of a leaf's entries before the layers of a page are known.
 *
 * <p>A definition is 0 for a value, {@code 2 * depth + 1} for a null and {@code 2 * depth + 2} for
 * an empty list in the layer with so many layers outside it. A repetition is 0 for the first entry
 * of a row and {@code list + 1} for a further item of the list with so many lists outside it.
 */
final class Levels {
  private final short[] rep;
  private final short[] def;
  private final int from;
  private final int size;

  /**
   * @param rep null when every entry begins a row
   * @param def null when every entry is a value
   * @param from the first entry in the arrays
   * @param size the number of entries
   */
  Levels(short[] rep, short[] def, int from, int size) {
    this.rep = rep;
    this.def = def;
    this.from = from;
    this.size = size;
  }

  /** The number of entries. */
  int size() {
    return size;
  }

  /** Whether entries have repetitions. */
  boolean repeated() {
    return rep != null;
  }

  /** Whether entries have definitions. */
  boolean defined() {
    return def != null;
  }

  short rep(int entry) {
    return rep[from + entry];
  }

  short def(int entry) {
    return def[from + entry];
  }

  void copyRep(short[] to, int at) {
    System.arraycopy(rep, from, to, at, size);
  }

  void copyDef(short[] to, int at) {
    System.arraycopy(def, from, to, at, size);
  }

  static short nullCode(int depth) {
    return (short) (2 * depth + 1);
  }

  static short emptyCode(int depth) {
    return (short) (2 * depth + 2);
  }

  /** The entries from {@code start} to {@code end} of these. */
  Levels slice(int start, int end) {
    return new Levels(rep, def, from + start, end - start);
  }

  /** The bytes of the levels when each takes 16 bits. */
  long bytes() {
    return (rep == null ? 0 : 2L * size) + (def == null ? 0 : 2L * size);
  }

  /** The entry at which row {@code row} begins, counting on from the row that begins at 0. */
  int startOfRow(int row) {
    if (rep == null) {
      return row;
    }
    int seen = 0;
    for (int e = 0; e < size; e++) {
      if (rep[from + e] == 0 && seen++ == row) {
        return e;
      }
    }
    return size;
  }
}
