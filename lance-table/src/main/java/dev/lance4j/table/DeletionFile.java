package dev.lance4j.table;

import java.util.OptionalInt;

/**
 * A file that holds the complete set of deleted row offsets of a fragment.
 *
 * @param form how the offsets are stored
 * @param readVersion the version that the deletion was computed from; part of the name
 * @param id random, unsigned; part of the name
 * @param deletedRows number of deleted rows, 0 when not recorded
 * @param baseId the base that it lies in; the table's own root if absent
 */
public record DeletionFile(
    Form form, long readVersion, long id, long deletedRows, OptionalInt baseId) {

  /** How offsets are stored. */
  public enum Form {
    /** An Arrow IPC file with one column. */
    ARROW_ARRAY("arrow"),
    /** A portable 32-bit Roaring bitmap. */
    BITMAP("bin");

    private final String extension;

    Form(String extension) {
      this.extension = extension;
    }
  }

  /**
   * The file's name inside {@code _deletions}.
   *
   * @param fragmentId the fragment that the file belongs to
   */
  public String name(long fragmentId) {
    return fragmentId
        + "-"
        + Long.toUnsignedString(readVersion)
        + "-"
        + Long.toUnsignedString(id)
        + "."
        + form.extension;
  }

  /** This file with the number of deleted rows recorded. */
  public DeletionFile withDeletedRows(long rows) {
    return new DeletionFile(form, readVersion, id, rows, baseId);
  }

  /** This file in a base, unless it lies in one. */
  public DeletionFile inBase(int base) {
    return baseId.isPresent()
        ? this
        : new DeletionFile(form, readVersion, id, deletedRows, OptionalInt.of(base));
  }
}
