package dev.lance4j.compaction.internal;

import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.index.IndexSegment;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.internal.LogicalIndex;
import dev.lance4j.index.internal.segment.LiveRows;
import dev.lance4j.index.internal.segment.RowNumbers;
import dev.lance4j.index.internal.segment.RowTranslation;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.vector.VectorBuild;
import dev.lance4j.index.internal.vector.VectorIndex;
import dev.lance4j.index.vector.VectorSegment;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import java.util.ArrayList;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/** Brings one vector index up to date. */
public final class VectorOptimization implements AutoCloseable {
  private final IndexSource source;
  private final OptimizeOptions options;
  private final VectorIndex index;
  private final List<VectorSegment> open = new ArrayList<>();

  public VectorOptimization(IndexSource source, OptimizeOptions options, VectorIndex index) {
    this.source = source;
    this.options = options;
    this.index = index;
  }

  /** Builds at most one segment and says which others it takes the place of. */
  public void run(List<IndexSegment> added, List<IndexMetadata> removed) {
    RoaringBitmap fresh = LogicalIndex.fragments(source.version());
    fresh.andNot(index.coverage());
    if (options.retrained()) {
      added.add(retrained());
      index.segments().forEach(segment -> removed.add(segment.metadata()));
      return;
    }
    List<SegmentFiles> all = index.segments();
    SegmentFiles newest = all.get(all.size() - 1);
    List<IndexMetadata> merged = new ArrayList<>();
    List<SegmentFiles> trusted = new ArrayList<>();
    for (SegmentFiles segment : all) {
      if (index.mayHoldFormerVectors(segment)) {
        fresh.or(covered(segment));
        merged.add(segment.metadata());
      } else {
        trusted.add(segment);
      }
    }
    int wanted = Math.min(options.merged().orElse(1), trusted.size());
    if (fresh.isEmpty() && wanted <= 1) {
      return;
    }
    List<VectorSegment> old = new ArrayList<>();
    List<RowTranslation> rows = new ArrayList<>();
    RoaringBitmap covered = fresh.clone();
    VectorSegment model = open(newest);
    for (SegmentFiles segment : trusted.subList(trusted.size() - wanted, trusted.size())) {
      VectorSegment opened = segment.equals(newest) ? model : open(segment);
      if (opened.fits(model)) {
        RoaringBitmap fragments = covered(segment);
        old.add(opened);
        rows.add(LiveRows.of(source, RowNumbers.IDS, fragments));
        covered.or(fragments);
        merged.add(segment.metadata());
      }
    }
    if (old.size() <= 1 && fresh.isEmpty()) {
      return;
    }
    if (old.isEmpty()) {
      old.add(model);
      rows.add(row -> RowTranslation.GONE);
    }
    added.add(build().merge(old, rows, newest.metadata(), fragments(fresh), covered));
    removed.addAll(merged);
  }

  private IndexSegment retrained() {
    List<SegmentFiles> all = index.segments();
    VectorSegment newest = open(all.get(all.size() - 1));
    return build().train(index.name(), newest.settings(), source.version().manifest().fragments());
  }

  private VectorBuild build() {
    return new VectorBuild(source, index.column(), options.build());
  }

  private RoaringBitmap covered(SegmentFiles segment) {
    return LogicalIndex.covered(segment.metadata(), source.version());
  }

  private VectorSegment open(SegmentFiles files) {
    try {
      VectorSegment segment =
          VectorSegment.open(
              files.location().store(),
              files.location().path(),
              source.session(),
              source.allocator());
      open.add(segment);
      return segment;
    } catch (CorruptFileException | ObjectNotFoundException e) {
      throw index.damaged(e);
    }
  }

  private List<FragmentMetadata> fragments(RoaringBitmap ids) {
    return source.version().manifest().fragments().stream()
        .filter(fragment -> ids.contains((int) fragment.id()))
        .toList();
  }

  @Override
  public void close() {
    open.forEach(VectorSegment::close);
  }
}
