package dev.lance4j.table;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.VersionNotFoundException;
import dev.lance4j.table.internal.NameSet;
import dev.lance4j.table.internal.TableFile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which versions of a table go in a clean-up, and which files the others need. Files go by their
 * path below the table's root; index segments by that of their directory.
 */
final class FilesInUse {
  private static final String VERSIONS = "/_versions";

  /** How long a writer may take between looking for the newest version and writing the next. */
  private static final Duration LONGEST_COMMIT = Duration.ofMinutes(1);

  private final Table table;
  private final CleanupPolicy policy;
  private final Instant now;
  private final List<ManifestLocation> versionsToRemove = new ArrayList<>();
  private final NameSet needed = new NameSet();
  private final NameSet committed = new NameSet();
  private final List<String> nestedRoots = new ArrayList<>();
  private long newestSeen;
  private long newestThatStays;

  private FilesInUse(Table table, CleanupPolicy policy, Instant now) {
    this.table = table;
    this.policy = policy;
    this.now = now;
  }

  /**
   * Reads all manifests of the table and of its branches.
   *
   * @param handle it and all later versions stay
   */
  static FilesInUse of(TableVersion handle, CleanupPolicy policy, Instant now) {
    FilesInUse files = new FilesInUse(handle.table(), policy, now);
    files.readVersions(handle);
    files.readDetachedVersions();
    return files;
  }

  private void readVersions(TableVersion handle) {
    List<ManifestLocation> versions = table.findAll();
    CleanupPolicy.Bounds bounds = policy.bounds(now, versions);
    VersionsInUse inUse = VersionsInUse.of(handle);
    List<Long> taggedOld = new ArrayList<>();
    for (ManifestLocation location : versions) {
      newestSeen = location.version();
      Optional<TableVersion> found = open(location);
      if (found.isEmpty()) {
        continue;
      }
      TableVersion version = found.get();
      boolean old =
          Long.compareUnsigned(version.version(), handle.version()) < 0
              && bounds.isOld(version.version(), version.manifest().timestamp());
      if (old && inUse.tagged().contains(version.version())) {
        taggedOld.add(version.version());
      } else if (old
          && !inUse.branchPoints().contains(version.version())
          && !isPerhapsBeingCommitted(version)) {
        versionsToRemove.add(location);
        VersionFiles.visit(version, committed::add);
        continue;
      }
      newestThatStays = version.version();
      VersionFiles.visit(version, needed::add);
    }
    if (!taggedOld.isEmpty() && policy.errorIfTaggedOldVersions()) {
      throw new InvalidInputException(
          taggedOld.size()
              + " tagged version(s) have been marked for cleanup: "
              + taggedOld
              + ". Either allow them to stay with errorIfTaggedOldVersions(false) or delete their"
              + " tags first");
    }
    for (Table branch : inUse.branches()) {
      noteIfNested(branch);
      for (ManifestLocation location : branch.findAll()) {
        VersionFiles.visit(branch.open(location), needed::add);
      }
    }
  }

  // A writer that found the version before, which stays, to be the newest could otherwise take the
  // free name for the next one: see Succession.
  private boolean isPerhapsBeingCommitted(TableVersion version) {
    return newestThatStays == version.version() - 1
        && newestThatStays != 0
        && !policy.deleteUnverified()
        && version.manifest().timestamp().isAfter(now.minus(LONGEST_COMMIT));
  }

  // The branch "a/data" lies in the directory of the data files of the branch "a".
  private void noteIfNested(Table branch) {
    for (String directory : TableFile.DIRECTORIES) {
      String root = branch.path() + "/";
      if (root.startsWith(table.path() + "/" + directory + "/")) {
        nestedRoots.add(root);
      }
    }
  }

  /** Whether an object belongs to a branch that lies inside this one's directories. */
  boolean isOfNestedBranch(String path) {
    for (String root : nestedRoots) {
      if (path.startsWith(root)) {
        return true;
      }
    }
    return false;
  }

  /** Opens a version, unless another clean-up removed it meanwhile. */
  private Optional<TableVersion> open(ManifestLocation location) {
    try {
      return Optional.of(table.open(location));
    } catch (VersionNotFoundException e) {
      return Optional.empty();
    }
  }

  // Such a version is no part of the history, so only its age says whether it is still wanted.
  private void readDetachedVersions() {
    for (ManifestLocation location : detachedVersions()) {
      Optional<TableVersion> version = open(location);
      if (version.isEmpty()) {
        continue;
      }
      if (isWithinSafetyPeriod(version.get().manifest().timestamp())) {
        VersionFiles.visit(version.get(), needed::add);
      } else {
        versionsToRemove.add(location);
      }
    }
  }

  private List<ManifestLocation> detachedVersions() {
    List<ManifestLocation> found = new ArrayList<>();
    table
        .store()
        .list(
            table.path() + VERSIONS,
            name -> {
              ManifestNaming.classify(name)
                  .filter(named -> named.naming() == ManifestNaming.DETACHED)
                  .ifPresent(named -> found.add(table.manifest(named.version(), named.naming())));
              return true;
            });
    found.sort(Comparator.comparing(ManifestLocation::path));
    return found;
  }

  /** Whether something of this age may be part of a write that is under way. */
  boolean isWithinSafetyPeriod(Instant modified) {
    return !policy.deleteUnverified() && modified.isAfter(now.minus(CleanupPolicy.SAFETY_PERIOD));
  }

  /** The manifests that go, the oldest first, then detached ones. */
  List<ManifestLocation> versionsToRemove() {
    return versionsToRemove;
  }

  /** Whether a version that stays needs the file. */
  boolean isNeeded(String file) {
    return needed.contains(file);
  }

  /** Whether the file is known not to be of a write that is under way. */
  boolean wasCommitted(String file) {
    return committed.contains(file);
  }

  /** Adds the files of versions that were committed since the last look. */
  void lookForNewVersions() {
    for (ManifestLocation location : table.findAfter(newestSeen)) {
      open(location).ifPresent(version -> VersionFiles.visit(version, needed::add));
      newestSeen = location.version();
    }
  }
}
