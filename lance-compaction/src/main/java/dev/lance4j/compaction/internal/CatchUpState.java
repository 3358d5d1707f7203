package dev.lance4j.compaction.internal;

import dev.lance4j.index.internal.LogicalIndex;
import dev.lance4j.table.FragmentReuse;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.roaringbitmap.RoaringBitmap;

/** Which deferred rewrites index segments still need to be told about. For use by one thread. */
final class CatchUpState {
  private final Table table;
  private final FragmentReuse reuse;
  private final RoaringBitmap rewritten = new RoaringBitmap();
  private final Map<Long, Optional<RoaringBitmap>> fragmentsOf = new HashMap<>();

  CatchUpState(Table table, FragmentReuse reuse) {
    this.table = table;
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

  // What a manifest says that a segment covers is no evidence, since any commit brings it up to
  // date, and neither is the version that the rewrite read, since others may follow before it is
  // committed. But a segment was built from the fragments of the version that it names.
  private boolean isBuiltAfter(IndexMetadata stored, FragmentReuse.Version version) {
    if (Long.compareUnsigned(stored.datasetVersion(), version.datasetVersion()) <= 0) {
      return false;
    }
    Optional<RoaringBitmap> fragments =
        fragmentsOf.computeIfAbsent(stored.datasetVersion(), this::fragmentsOf);
    return fragments.isPresent()
        && version.groups().stream()
            .noneMatch(
                group -> RoaringBitmap.intersects(fragments.get(), ids(group.oldFragments())));
  }

  /** The fragments of a version, unless it was removed. */
  private Optional<RoaringBitmap> fragmentsOf(long number) {
    return table.find(number).map(location -> LogicalIndex.fragments(table.open(location)));
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
