package dev.lance4j.compaction.internal;

import dev.lance4j.table.FragmentReuse;
import dev.lance4j.table.IndexMetadata;
import java.util.List;
import java.util.Optional;
import org.roaringbitmap.RoaringBitmap;

/** Which deferred rewrites index segments still need to be told about. */
final class CatchUpState {
  private final FragmentReuse reuse;
  private final RoaringBitmap rewritten = new RoaringBitmap();

  CatchUpState(FragmentReuse reuse) {
    this.reuse = reuse;
    for (FragmentReuse.Version version : reuse.versions()) {
      for (FragmentReuse.Group group : version.groups()) {
        rewritten.or(ids(group.oldFragments()));
        rewritten.or(ids(group.newFragments()));
      }
    }
  }

  /**
   * Whether a segment may hold addresses from before one of the rewrites.
   *
   * @param stored the segment as the manifest has it
   */
  boolean isBehind(IndexMetadata stored) {
    return reuse.versions().stream().anyMatch(version -> isBehind(stored, version));
  }

  /** Whether a segment may hold addresses from before a rewrite. */
  boolean isBehind(IndexMetadata stored, FragmentReuse.Version version) {
    Optional<RoaringBitmap> covered = stored.fragments();
    if (stored.isSystem() || stored.coversZones() || covered.isEmpty()) {
      return false;
    }
    if (!RoaringBitmap.intersects(covered.get(), rewritten)) {
      return false;
    }
    return !isBuiltAfter(stored, version)
        || version.groups().stream().anyMatch(group -> coversOld(covered.get(), group));
  }

  // The rewrite read a version, set ids aside in the next and was committed as the one after that.
  // What a manifest says that a segment covers is no evidence: any commit brings it up to date.
  private static boolean isBuiltAfter(IndexMetadata stored, FragmentReuse.Version version) {
    return Long.compareUnsigned(stored.datasetVersion(), version.datasetVersion() + 1) > 0;
  }

  // A segment that covers a part of a group covers nothing of what became of it.
  private static boolean coversOld(RoaringBitmap covered, FragmentReuse.Group group) {
    RoaringBitmap old = ids(group.oldFragments());
    return !old.isEmpty() && covered.contains(old);
  }

  private static RoaringBitmap ids(List<FragmentReuse.Digest> fragments) {
    RoaringBitmap ids = new RoaringBitmap();
    fragments.forEach(fragment -> ids.add((int) fragment.id()));
    return ids;
  }
}
