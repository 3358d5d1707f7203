package dev.lance4j.table;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.table.internal.CleanupCount;
import dev.lance4j.table.internal.Deletions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes old versions of a table, the files that only they need, and the files of failed writes.
 * What a version needs that stays is never removed: versions from the given one on, those that the
 * policy keeps, those with a tag, and those that a branch started from stay, and so do files that a
 * branch shares. Tables that were cloned from this one elsewhere are not known to it: a version
 * that they need must have a tag.
 *
 * <p>Others may write meanwhile. A version disappears before its files do, so that whoever finds a
 * version finds its files, and an interrupted clean-up leaves files of no version, which a later
 * one removes after the {@linkplain CleanupPolicy#SAFETY_PERIOD safety period}. The memory that is
 * needed grows with the number of files of the table, by about 32 bytes for each.
 */
public final class Cleanup {
  private final CleanupPolicy policy;

  /**
   * @param policy what to remove
   */
  public Cleanup(CleanupPolicy policy) {
    this.policy = policy;
  }

  /**
   * Cleans a table up.
   *
   * @param handle a version of the table or branch; it and all later ones stay
   * @return what was removed
   * @throws InvalidInputException if a version that would go has a tag and the policy makes that an
   *     error; nothing was removed then
   * @throws CorruptFileException if a manifest, tag or branch cannot be read; nothing was removed
   *     then, since nobody knows what it needs
   * @throws java.io.UncheckedIOException if the store fails; what was removed before is gone
   */
  public CleanupResult run(TableVersion handle) {
    Instant now = Instant.now();
    List<TableVersion> handles = new ArrayList<>();
    if (policy.cleanReferencedBranches()) {
      handles.addAll(VersionsInUse.descendants(handle));
      // Whatever forbids the clean-up is found before anything is removed.
      handles.forEach(branch -> FilesInUse.of(branch, policy, now));
      FilesInUse.of(handle, policy, now);
    }
    handles.add(handle);
    CleanupCount count = new CleanupCount();
    Deletions deletions = new Deletions(policy.deleteRateLimit(), policy.dryRun());
    for (TableVersion each : handles) {
      FilesInUse inUse = FilesInUse.of(each, policy, now);
      for (ManifestLocation location : inUse.versionsToRemove()) {
        remove(each.table(), location, deletions, count);
      }
      new FileSweep(each.table(), inUse, deletions, count).run();
    }
    return count.result();
  }

  private void remove(
      Table table, ManifestLocation location, Deletions deletions, CleanupCount count) {
    long bytes = table.store().stat(location.path()).size();
    deletions.delete(table.store(), location.path());
    if (!policy.dryRun()) {
      table.removed(location.version());
    }
    count.addVersion(bytes, !ManifestNaming.isDetached(location.version()));
  }
}
