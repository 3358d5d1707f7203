package dev.lance4j.table;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.table.internal.MessageBytes;
import java.io.Serializable;
import java.util.List;
import java.util.OptionalInt;

/**
 * A file with some of the fields of a fragment.
 *
 * @param path relative to the {@code data} directory of its base
 * @param fieldIds the fields in it; negative ids are to be skipped
 * @param columnIndices for each field the file's column, -1 for none; empty in legacy files
 * @param majorVersion see {@link #fileVersion()}
 * @param minorVersion see {@link #fileVersion()}
 * @param sizeBytes the file's size, 0 when not recorded
 * @param baseId the base that it lies in; the table's own root if absent
 */
public record DataFile(
    String path,
    List<Integer> fieldIds,
    List<Integer> columnIndices,
    int majorVersion,
    int minorVersion,
    long sizeBytes,
    OptionalInt baseId)
    implements Serializable {

  /** In place of the id of a field that a later file of the fragment holds anew. */
  public static final int TOMBSTONE = -2;

  public DataFile {
    fieldIds = List.copyOf(fieldIds);
    columnIndices = List.copyOf(columnIndices);
  }

  /** A file of the table's own root. */
  public static DataFile of(
      String path,
      List<Integer> fieldIds,
      List<Integer> columnIndices,
      FileVersion version,
      long sizeBytes) {
    return new DataFile(
        path,
        fieldIds,
        columnIndices,
        version.manifestMajor(),
        version.manifestMinor(),
        sizeBytes,
        OptionalInt.empty());
  }

  /**
   * The version of the file's format.
   *
   * @throws UnsupportedFormatException if it is not a known one
   */
  public FileVersion fileVersion() {
    return FileVersion.of(majorVersion, minorVersion);
  }

  /** The position of the field in {@link #fieldIds}, or -1. */
  public int indexOf(int fieldId) {
    return fieldIds.indexOf(fieldId);
  }

  /** Whether no field of the file is in use any more. */
  public boolean isDead() {
    for (int id : fieldIds) {
      if (id != TOMBSTONE) {
        return false;
      }
    }
    return true;
  }

  /** This file with other fields; the columns stay as they are. */
  public DataFile withFieldIds(List<Integer> ids) {
    return new DataFile(path, ids, columnIndices, majorVersion, minorVersion, sizeBytes, baseId);
  }

  /** This file with the size recorded. */
  public DataFile withSizeBytes(long size) {
    return new DataFile(path, fieldIds, columnIndices, majorVersion, minorVersion, size, baseId);
  }

  /** This file in a base, unless it lies in one. */
  public DataFile inBase(int base) {
    return baseId.isPresent()
        ? this
        : new DataFile(
            path,
            fieldIds,
            columnIndices,
            majorVersion,
            minorVersion,
            sizeBytes,
            OptionalInt.of(base));
  }

  private Object writeReplace() {
    return MessageBytes.of(this);
  }
}
