package dev.lance4j.compaction.internal;

import dev.lance4j.format.VersionNotFoundException;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.internal.TableState;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.roaringbitmap.RoaringBitmap;

/** Which index segments cover which fragments of a version. */
final class IndexSets {
  private final List<RoaringBitmap> covered = new ArrayList<>();

  IndexSets(TableVersion version) {
    for (IndexMetadata index : TableState.of(version).indices()) {
      if (!index.isSystem()) {
        covered.add(index.fragments().orElseGet(() -> allUpTo(version, index.datasetVersion())));
      }
    }
  }

  /** What a segment of an early writer covers, which did not record it. */
  private static RoaringBitmap allUpTo(TableVersion version, long datasetVersion) {
    OptionalLong last;
    try {
      last = version.table().version(datasetVersion).manifest().highestFragmentId();
    } catch (VersionNotFoundException e) {
      last = version.manifest().highestFragmentId();
    }
    RoaringBitmap all = new RoaringBitmap();
    if (last.isPresent()) {
      all.add(0L, last.getAsLong() + 1);
    }
    return all;
  }

  /** Whether two fragments are covered by the same segments. */
  boolean same(long fragmentId, long otherId) {
    for (RoaringBitmap fragments : covered) {
      if (fragments.contains((int) fragmentId) != fragments.contains((int) otherId)) {
        return false;
      }
    }
    return true;
  }
}
