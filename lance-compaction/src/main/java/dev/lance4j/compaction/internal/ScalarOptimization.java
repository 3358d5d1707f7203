package dev.lance4j.compaction.internal;

import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.index.IndexSegment;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.LogicalIndex;
import dev.lance4j.index.internal.scalar.ScalarBuild;
import dev.lance4j.index.internal.scalar.ScalarIndex;
import dev.lance4j.index.internal.segment.LiveRows;
import dev.lance4j.index.internal.segment.RowTranslation;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/** Brings one scalar index up to date. */
public final class ScalarOptimization {
  private final IndexSource source;
  private final OptimizeOptions options;
  private final ScalarIndex index;
  private final Map<SegmentFiles, RoaringBitmap> coverage = new LinkedHashMap<>();

  public ScalarOptimization(IndexSource source, OptimizeOptions options, ScalarIndex index) {
    this.source = source;
    this.options = options;
    this.index = index;
    index.segments().forEach(segment -> coverage.put(segment, index.coverage(segment)));
  }

  /** Builds at most one segment and says which others it takes the place of. */
  public void run(List<IndexSegment> added, List<IndexMetadata> removed) {
    List<SegmentFiles> merged = merged();
    RoaringBitmap fresh = uncovered();
    if (fresh.isEmpty() && merged.size() <= 1 && !options.retrained()) {
      return;
    }
    List<SegmentInput.Old> old = new ArrayList<>();
    RoaringBitmap covered = fresh.clone();
    for (SegmentFiles segment : merged) {
      RoaringBitmap fragments = coverage.get(segment);
      covered.or(fragments);
      if (options.retrained() || !index.kind().canTakeOver(segment)) {
        fresh.or(fragments);
      } else {
        RowTranslation live = LiveRows.of(source, index.kind().numbers(), fragments);
        old.add(new SegmentInput.Old(segment, live, fragments));
      }
    }
    List<SegmentFiles> all = index.segments();
    ScalarIndexSpec spec = index.kind().settings(all.get(all.size() - 1));
    added.add(
        new ScalarBuild(source, index.column(), options.build())
            .build(index.name(), spec, old, fragments(fresh), covered));
    merged.forEach(segment -> removed.add(segment.metadata()));
  }

  private List<FragmentMetadata> fragments(RoaringBitmap ids) {
    return source.version().manifest().fragments().stream()
        .filter(fragment -> ids.contains((int) fragment.id()))
        .toList();
  }

  private RoaringBitmap uncovered() {
    RoaringBitmap fragments = LogicalIndex.fragments(source.version());
    coverage.values().forEach(fragments::andNot);
    return fragments;
  }

  /** The segments that become one: the newest, and those that know rows that have changed since. */
  private List<SegmentFiles> merged() {
    List<SegmentFiles> all = index.segments();
    int count = options.merged().orElse(all.size());
    if (options.retrained() || count >= all.size()) {
      return all;
    }
    if (count == 0) {
      return List.of();
    }
    List<SegmentFiles> chosen = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (i >= all.size() - count || hasDeletions(coverage.get(all.get(i)))) {
        chosen.add(all.get(i));
      }
    }
    return chosen;
  }

  private boolean hasDeletions(RoaringBitmap fragments) {
    return source.version().manifest().fragments().stream()
        .anyMatch(
            fragment ->
                fragment.deletionFile().isPresent() && fragments.contains((int) fragment.id()));
  }
}
