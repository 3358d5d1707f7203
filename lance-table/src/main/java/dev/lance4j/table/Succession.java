package dev.lance4j.table;

import dev.lance4j.format.CommitConflictException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes sure that a version that was just written continues the table's history. It does not if
 * others committed the same version and later ones after the base was found, and a {@link Cleanup}
 * removed theirs before ours was written: its name was free then, but its place taken. A clean-up
 * removes the oldest versions first, so that this cannot be while the base is there.
 */
final class Succession {
  private final TableVersion committed;
  private final TableVersion base;

  private Succession(TableVersion committed, TableVersion base) {
    this.committed = committed;
    this.base = base;
  }

  /**
   * Checks a version.
   *
   * @param base the version before it, which it was made from
   * @throws CommitConflictException if it is no part of the history; it was removed again
   * @throws UncheckedIOException if that cannot be told
   */
  static void check(TableVersion committed, TableVersion base) {
    if (!base.table().store().exists(base.location().path())) {
      new Succession(committed, base).checkLaterVersions();
    }
  }

  private void checkLaterVersions() {
    Table table = base.table();
    List<ManifestLocation> later = table.findAfter(committed.version());
    if (later.isEmpty()) {
      return;
    }
    Set<String> ours = newFiles();
    Optional<TableVersion> next = next(later.get(0));
    if (ours.isEmpty() || next.isEmpty()) {
      throw unknown();
    }
    Set<String> theirs = new HashSet<>();
    VersionFiles.visit(next.get(), theirs::add);
    if (theirs.containsAll(ours)) {
      return;
    }
    if (!wouldKeepNewFiles(next.get())) {
      throw unknown();
    }
    table.store().delete(committed.location().path());
    table.store().delete(table.transactionPath(committed.manifest().transactionFile()));
    throw new CommitConflictException(
        "Version "
            + Long.toUnsignedString(committed.version())
            + " of "
            + table.uri()
            + " had been committed by others and removed by a clean-up meanwhile; read the newest"
            + " version and try again",
        committed.version(),
        true);
  }

  private Optional<TableVersion> next(ManifestLocation location) {
    return location.version() == committed.version() + 1
        ? Optional.of(base.table().open(location))
        : Optional.empty();
  }

  /** The files that the commit added, but for its transaction. */
  private Set<String> newFiles() {
    Set<String> files = new HashSet<>();
    VersionFiles.visit(committed, files::add);
    VersionFiles.visit(base, files::remove);
    files.removeIf(file -> file.startsWith("_transactions/"));
    return files;
  }

  /** Whether what led to a version leaves all files alone that it does not know. */
  private boolean wouldKeepNewFiles(TableVersion next) {
    Operation operation = next.transaction().map(Transaction::operation).orElseThrow(this::unknown);
    return switch (operation.kind()) {
      case APPEND, CREATE_INDEX, RESERVE_FRAGMENTS, UPDATE_CONFIG -> true;
      case DELETE -> leavesNewFragments(((Operation.Delete) operation).deletedFragmentIds());
      case UPDATE -> leavesNewFragments(((Operation.Update) operation).removedFragmentIds());
      case OVERWRITE,
          REWRITE,
          MERGE,
          RESTORE,
          PROJECT,
          DATA_REPLACEMENT,
          UPDATE_MEM_WAL_STATE,
          CLONE,
          UPDATE_BASES ->
          false;
    };
  }

  /** Whether the commit only added fragments, and none of them was removed. */
  private boolean leavesNewFragments(List<Long> removed) {
    Set<Long> before = new HashSet<>();
    base.manifest().fragments().forEach(fragment -> before.add(fragment.id()));
    for (FragmentMetadata fragment : committed.manifest().fragments()) {
      if (before.remove(fragment.id())) {
        if (!base.manifest().fragment(fragment.id()).equals(Optional.of(fragment))) {
          return false;
        }
      } else if (removed.contains(fragment.id())) {
        return false;
      }
    }
    return true;
  }

  private UncheckedIOException unknown() {
    return new UncheckedIOException(
        new IOException(
            "Version "
                + Long.toUnsignedString(committed.version())
                + " of "
                + base.table().uri()
                + " was written while a clean-up removed the versions before it, and it cannot be"
                + " told whether it is part of the history; look at the newest version before you"
                + " try again"));
  }
}
