package dev.lance4j.table;

import dev.lance4j.format.store.ObjectInfo;
import dev.lance4j.table.internal.CleanupCount;
import dev.lance4j.table.internal.Deletions;
import dev.lance4j.table.internal.TableFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Walks over the files of a table and removes those that nobody needs, many at a time: before each
 * lot it makes sure that no version was committed meanwhile that does.
 */
final class FileSweep {
  private static final int LOT = 1000;

  private final Table table;
  private final FilesInUse inUse;
  private final Deletions deletions;
  private final CleanupCount count;
  private final List<Candidate> lot = new ArrayList<>();

  private record Candidate(ObjectInfo object, TableFile file) {}

  FileSweep(Table table, FilesInUse inUse, Deletions deletions, CleanupCount count) {
    this.table = table;
    this.inUse = inUse;
    this.deletions = deletions;
    this.count = count;
  }

  void run() {
    for (String directory : TableFile.DIRECTORIES) {
      table.store().walk(table.path() + "/" + directory, this::visit);
    }
    removeLot();
  }

  private void visit(ObjectInfo object) {
    if (inUse.isOfNestedBranch(object.path())) {
      return;
    }
    String relative = object.path().substring(table.path().length() + 1);
    Optional<TableFile> file = TableFile.of(relative);
    if (file.isPresent() && mayGo(file.get(), object)) {
      lot.add(new Candidate(object, file.get()));
      if (lot.size() == LOT) {
        removeLot();
      }
    }
  }

  private boolean mayGo(TableFile file, ObjectInfo object) {
    return !inUse.isNeeded(file.key())
        && (inUse.wasCommitted(file.key()) || !inUse.isWithinSafetyPeriod(object.lastModified()));
  }

  private void removeLot() {
    if (lot.isEmpty()) {
      return;
    }
    inUse.lookForNewVersions();
    for (Candidate candidate : lot) {
      if (!inUse.isNeeded(candidate.file().key())) {
        deletions.delete(table.store(), candidate.object().path());
        count.addFile(candidate.file().kind(), candidate.object().size());
      }
    }
    lot.clear();
  }
}
