package dev.lance4j.index.internal.scalar.zone;

import dev.lance4j.table.IndexMetadata;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import org.roaringbitmap.RoaringBitmap;

/**
 * Of which fragments zones tell. Those without zones had no rows, or are said to be covered because
 * rows moved there, which zones cannot follow.
 *
 * <p>The first writers counted live rows instead of offsets, so that their zones are shifted where
 * rows had been deleted before; such zones follow each other without a gap from the first row on.
 * They did not record the files of a segment yet, which tells them from later writers.
 */
final class ZoneCoverage {
  private final boolean early;
  private final RoaringBitmap fragments = new RoaringBitmap();
  private final RoaringBitmap withGaps = new RoaringBitmap();
  private final Map<Long, Long> ends = new HashMap<>();

  ZoneCoverage(IndexMetadata segment) {
    this.early = segment.files().isEmpty();
  }

  /** Adds a zone, in the order of the file. */
  void add(ZoneRange zone) {
    int fragment = (int) zone.fragmentId();
    fragments.add(fragment);
    if (early) {
      long expected = ends.getOrDefault(zone.fragmentId(), 0L);
      if (zone.start() != expected) {
        withGaps.add(fragment);
      }
      ends.put(zone.fragmentId(), zone.start() + zone.length());
    }
  }

  /**
   * The fragments that the zones answer for.
   *
   * @param claimed those that the table says they cover
   * @param hasDeletions whether rows of the fragment with an id are deleted
   */
  RoaringBitmap answersFor(RoaringBitmap claimed, IntPredicate hasDeletions) {
    RoaringBitmap known = RoaringBitmap.and(fragments, claimed);
    if (early) {
      for (int fragment : known.toArray()) {
        if (!withGaps.contains(fragment) && hasDeletions.test(fragment)) {
          known.remove(fragment);
        }
      }
    }
    return known;
  }

  long memoryBytes() {
    return fragments.getLongSizeInBytes() + withGaps.getLongSizeInBytes() + 64L * ends.size();
  }
}
