package dev.lance4j.table;

import dev.lance4j.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which rows of a table with stable row ids are live, and where: the key under which an index of
 * them is kept. Versions that have the same live rows in the same places are equal, and a table
 * that was made anew at the same place is not.
 */
final class LiveRows {
  private final ObjectStore store;
  private final String table;
  private final List<Part> parts;
  private final int hash;
  private final AtomicLong lookUps = new AtomicLong();

  private record Part(
      long fragmentId, Optional<SequenceLocation> rowIds, Optional<DeletionFile> deletionFile) {}

  private LiveRows(ObjectStore store, String table, List<Part> parts) {
    this.store = store;
    this.table = table;
    this.parts = parts;
    this.hash = parts.hashCode();
  }

  static LiveRows of(TableVersion version) {
    List<FragmentMetadata> fragments = version.manifest().fragments();
    List<Part> parts = new ArrayList<>(fragments.size());
    for (FragmentMetadata fragment : fragments) {
      parts.add(new Part(fragment.id(), fragment.rowIds(), fragment.deletionFile()));
    }
    return new LiveRows(version.table().store(), version.table().path(), parts);
  }

  /** Counts ids that are looked up; how many there have been so far. */
  long countLookUps(int ids) {
    return lookUps.addAndGet(ids);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof LiveRows that
            && hash == that.hash
            && store.equals(that.store)
            && table.equals(that.table)
            && parts.equals(that.parts));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
