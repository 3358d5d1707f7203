package dev.lance4j.compaction.internal;

import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.index.IndexOptions;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.internal.IndexCatalog;
import dev.lance4j.index.internal.LogicalIndex;
import dev.lance4j.index.internal.scalar.ScalarBuild;
import dev.lance4j.index.internal.scalar.ScalarIndex;
import dev.lance4j.index.internal.segment.RowTranslation;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.index.internal.vector.VectorBuild;
import dev.lance4j.index.internal.vector.VectorIndex;
import dev.lance4j.index.vector.VectorSegment;
import dev.lance4j.rowid.AddressMap;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.table.IndexMetadata;
import java.util.List;
import java.util.Optional;
import org.roaringbitmap.RoaringBitmap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes index segments anew with the addresses that rows have now, without rows that are gone. */
final class SegmentRemap {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentRemap.class);

  private final IndexSource source;
  private final AddressMap moves;
  private IndexCatalog catalog;

  /**
   * @param source a version that has the segments
   * @param moves where rows go after that version
   */
  SegmentRemap(IndexSource source, AddressMap moves) {
    this.source = source;
    this.moves = moves;
  }

  /**
   * Writes a segment anew, without committing it.
   *
   * @param segment as covering the fragments that its rows are in now
   * @return the segment in its new directory, as one of the source's version; nothing if segments
   *     of its kind cannot be written without the rows of the table, or it has a layout that is not
   *     known
   * @throws dev.lance4j.format.CorruptFileException if the segment is damaged
   */
  Optional<IndexMetadata> remap(IndexMetadata segment) {
    try {
      return remapKnown(segment);
    } catch (UnsupportedFormatException e) {
      LOG.debug("left as it is: {}", segment.uuid(), e);
      return Optional.empty();
    }
  }

  private Optional<IndexMetadata> remapKnown(IndexMetadata segment) {
    for (ScalarIndex index : catalog().scalar()) {
      for (SegmentFiles files : index.segments()) {
        if (files.metadata().uuid().equals(segment.uuid())) {
          boolean possible = index.kind().isRemappable() && index.kind().canTakeOver(files);
          return possible ? Optional.of(remap(index, files)) : Optional.empty();
        }
      }
    }
    for (VectorIndex index : catalog().vector()) {
      for (SegmentFiles files : index.segments()) {
        if (files.metadata().uuid().equals(segment.uuid())) {
          return Optional.of(remap(index, files));
        }
      }
    }
    return Optional.empty();
  }

  private IndexMetadata remap(VectorIndex index, SegmentFiles files) {
    RoaringBitmap covered = LogicalIndex.covered(files.metadata(), source.version());
    VectorBuild build = new VectorBuild(source, index.column(), IndexOptions.DEFAULT);
    try (VectorSegment old =
        VectorSegment.open(
            files.location().store(),
            files.location().path(),
            source.session(),
            source.allocator())) {
      return build
          .merge(List.of(old), List.of(translation(covered)), files.metadata(), List.of(), covered)
          .metadata();
    }
  }

  private IndexCatalog catalog() {
    if (catalog == null) {
      catalog = IndexCatalog.of(source);
    }
    return catalog;
  }

  private IndexMetadata remap(ScalarIndex index, SegmentFiles files) {
    RoaringBitmap covered = LogicalIndex.covered(files.metadata(), source.version());
    SegmentInput.Old old = new SegmentInput.Old(files, translation(covered), covered);
    return new ScalarBuild(source, index.column(), IndexOptions.DEFAULT)
        .build(index.name(), index.kind().settings(files), List.of(old), List.of(), covered)
        .metadata();
  }

  // A segment may still know rows of fragments that it does not cover any more. They must not come
  // back to life in a fragment that it will cover.
  private RowTranslation translation(RoaringBitmap covered) {
    AddressMap before = source.version().movedRows();
    return row -> {
      long now = before.map(row);
      return now != RowAddress.NONE && covered.contains((int) RowAddress.fragmentId(now))
          ? moves.map(now)
          : RowTranslation.GONE;
    };
  }
}
