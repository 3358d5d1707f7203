package dev.lance4j.table;

import dev.lance4j.table.internal.MessageBytes;
import dev.lance4j.table.internal.TransactionJson;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * A horizontal slice of a table: its files and how many rows they hold. Immutable and serialisable,
 * so that a fragment written on one machine can be committed on another.
 *
 * @param id unique in a version, below 2<sup>32</sup> - 1; 0 in new fragments, where it means that
 *     the commit assigns one
 * @param files which together hold the fields
 * @param deletionFile the rows that are deleted, if any are
 * @param physicalRows number of rows including deleted ones, 0 when not recorded
 * @param rowIds the stable ids of the rows, in tables that have such ids
 * @param lastUpdatedVersions the version in which each row changed last, in such tables
 * @param createdVersions the version in which each row first appeared, in such tables
 */
public record FragmentMetadata(
    long id,
    List<DataFile> files,
    Optional<DeletionFile> deletionFile,
    long physicalRows,
    Optional<SequenceLocation> rowIds,
    Optional<SequenceLocation> lastUpdatedVersions,
    Optional<SequenceLocation> createdVersions)
    implements Serializable {

  /** The highest id that a fragment may have; the one above stands for no fragment. */
  public static final long MAX_ID = 0xFFFF_FFFEL;

  /** The highest number of rows that offsets in a row address can tell apart. */
  public static final long MAX_ROWS = 1L << 32;

  public FragmentMetadata {
    files = List.copyOf(files);
  }

  /** A new fragment, whose id the commit assigns. */
  public static FragmentMetadata of(List<DataFile> files, long physicalRows) {
    return new FragmentMetadata(
        0,
        files,
        Optional.empty(),
        physicalRows,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** The number of deleted rows; 0 also when there is a deletion file that does not record it. */
  public long deletedRows() {
    return deletionFile.map(DeletionFile::deletedRows).orElse(0L);
  }

  /** This fragment under another id. */
  public FragmentMetadata withId(long newId) {
    return new FragmentMetadata(
        newId, files, deletionFile, physicalRows, rowIds, lastUpdatedVersions, createdVersions);
  }

  /** This fragment with other files. */
  public FragmentMetadata withFiles(List<DataFile> newFiles) {
    return new FragmentMetadata(
        id, newFiles, deletionFile, physicalRows, rowIds, lastUpdatedVersions, createdVersions);
  }

  /** This fragment with other deleted rows. */
  public FragmentMetadata withDeletionFile(Optional<DeletionFile> file) {
    return new FragmentMetadata(
        id, files, file, physicalRows, rowIds, lastUpdatedVersions, createdVersions);
  }

  /** This fragment with the number of rows recorded. */
  public FragmentMetadata withPhysicalRows(long rows) {
    return new FragmentMetadata(
        id, files, deletionFile, rows, rowIds, lastUpdatedVersions, createdVersions);
  }

  /** This fragment with stable row ids. */
  public FragmentMetadata withRowIds(SequenceLocation ids) {
    return new FragmentMetadata(
        id,
        files,
        deletionFile,
        physicalRows,
        Optional.of(ids),
        lastUpdatedVersions,
        createdVersions);
  }

  /** This fragment with the versions in which its rows changed last and first appeared. */
  public FragmentMetadata withRowVersions(SequenceLocation lastUpdated, SequenceLocation created) {
    return new FragmentMetadata(
        id,
        files,
        deletionFile,
        physicalRows,
        rowIds,
        Optional.of(lastUpdated),
        Optional.of(created));
  }

  /** This fragment with the versions in which its rows changed last. */
  public FragmentMetadata withLastUpdatedVersions(SequenceLocation lastUpdated) {
    return new FragmentMetadata(
        id, files, deletionFile, physicalRows, rowIds, Optional.of(lastUpdated), createdVersions);
  }

  /** This fragment with the files of the table's own root lying in a base instead. */
  public FragmentMetadata inBase(int baseId) {
    return withFiles(files.stream().map(file -> file.inBase(baseId)).toList())
        .withDeletionFile(deletionFile.map(file -> file.inBase(baseId)));
  }

  /**
   * This fragment as JSON, in the form of the real library's Python binding: an object with {@code
   * id}, {@code files}, {@code physical_rows}, {@code deletion_file}, {@code row_id_meta}, {@code
   * created_at_version_meta} and {@code last_updated_at_version_meta}, of which all but the first
   * two may be null.
   */
  public String toJson() {
    return TransactionJson.toJson(this);
  }

  /**
   * Reads what {@link #toJson} writes. Keys that are not known are refused unless they are empty.
   *
   * @throws dev.lance4j.format.InvalidInputException if it is not the JSON of a fragment; the
   *     message names the key
   */
  public static FragmentMetadata fromJson(String json) {
    return TransactionJson.fragment(json);
  }

  private Object writeReplace() {
    return MessageBytes.of(this);
  }
}
