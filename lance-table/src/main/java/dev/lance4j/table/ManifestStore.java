package dev.lance4j.table;

import java.util.Optional;

/**
 * Decides which manifest is which version of a table, for object stores that cannot write an object
 * if and only if it is absent. A key-value store, outside of the object store, from table and
 * version to the path of a manifest. All writers of a table must use the same one. Safe for use by
 * many threads.
 *
 * <p>Lance4j writes a manifest under a staged name first and then records it with {@link
 * #putIfAbsent}: from then on the version is committed. Afterwards whoever meets the staged path,
 * writer or reader, copies the manifest to its final name, records that with {@link #putIfPresent},
 * and deletes what was staged.
 *
 * <p>All methods read what was written last by anybody, and throw {@link
 * java.io.UncheckedIOException} when the store cannot be reached.
 */
public interface ManifestStore {
  /**
   * The manifest of a version.
   *
   * @param version not a detached one
   * @param path of the manifest in the table's object store, staged or final
   * @param sizeBytes the manifest's size
   */
  record Entry(long version, String path, long sizeBytes) {}

  /**
   * The highest version of a table.
   *
   * @param table the path of the table's root in its object store
   */
  Optional<Entry> latest(String table);

  /** A version of a table, if it is recorded. */
  Optional<Entry> find(String table, long version);

  /**
   * Records a version that is not recorded yet, atomically among all processes.
   *
   * @return whether it was recorded; false if the version is there already
   */
  boolean putIfAbsent(String table, Entry entry);

  /**
   * Replaces what is recorded for a version.
   *
   * @return whether it was replaced; false if nothing is recorded for the version
   */
  boolean putIfPresent(String table, Entry entry);

  /** Forgets a version, whose manifest has been removed; does nothing if it is not recorded. */
  void delete(String table, long version);

  /** Forgets all versions of a table, which has been removed. */
  void deleteAll(String table);
}
