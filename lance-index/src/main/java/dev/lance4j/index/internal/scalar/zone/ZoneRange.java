package dev.lance4j.index.internal.scalar.zone;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowSet;

/**
 * Where a zone is: a stretch of rows of a fragment, in which rows may have been deleted.
 *
 * @param fragmentId of the rows
 * @param start the offset of the first row in the fragment, counting deleted rows
 * @param length the number of rows, at least one
 */
record ZoneRange(long fragmentId, long start, long length) implements Comparable<ZoneRange> {
  /**
   * A zone as a file has it.
   *
   * @param path of the file
   * @throws CorruptFileException if no fragment can have the rows
   */
  static ZoneRange checked(long fragmentId, long start, long length, String path) {
    boolean fits =
        fragmentId >= 0
            && fragmentId < RowAddress.LIMIT - 1
            && start >= 0
            && start < RowAddress.LIMIT
            && length > 0
            && length <= RowAddress.LIMIT - start;
    if (!fits) {
      throw new CorruptFileException(
          path,
          -1,
          "a zone of "
              + Long.toUnsignedString(length)
              + " rows from offset "
              + Long.toUnsignedString(start)
              + " of fragment "
              + Long.toUnsignedString(fragmentId)
              + " does not fit row addresses");
    }
    return new ZoneRange(fragmentId, start, length);
  }

  /** Adds the addresses of the rows to a set. */
  void addTo(RowSet.Builder<?> rows) {
    rows.addRange(
        RowAddress.pack(fragmentId, start), RowAddress.pack(fragmentId, start + length - 1));
  }

  @Override
  public int compareTo(ZoneRange that) {
    int order = Long.compare(fragmentId, that.fragmentId);
    return order != 0 ? order : Long.compare(start, that.start);
  }
}
