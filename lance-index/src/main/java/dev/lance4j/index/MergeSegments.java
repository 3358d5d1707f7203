package dev.lance4j.index;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.internal.IndexKinds;
import dev.lance4j.index.internal.LogicalIndex;
import dev.lance4j.index.internal.scalar.ScalarBuild;
import dev.lance4j.index.internal.scalar.ScalarKind;
import dev.lance4j.index.internal.segment.IndexedColumn;
import dev.lance4j.index.internal.segment.LiveRows;
import dev.lance4j.index.internal.segment.RowNumbers;
import dev.lance4j.index.internal.segment.RowTranslation;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.index.internal.vector.VectorBuild;
import dev.lance4j.index.vector.VectorIndexDetails;
import dev.lance4j.index.vector.VectorSegment;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import java.util.ArrayList;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/** Makes one segment of several that were built apart and are not committed yet. Immutable. */
public final class MergeSegments {
  private final IndexSource source;
  private final IndexOptions options;

  /**
   * @param source the version that the segments were built from
   */
  public MergeSegments(IndexSource source, IndexOptions options) {
    this.source = source;
    this.options = options;
  }

  /**
   * Writes the segment, without committing it. The files of the others stay until a clean-up.
   *
   * @param segments at least one
   * @return covers the fragments of all
   * @throws InvalidInputException if segments cover the same fragment, are of different columns,
   *     kinds or versions, or are vector segments that were trained apart
   * @throws CorruptFileException if a segment is damaged
   */
  public IndexSegment merge(List<IndexSegment> segments) {
    if (segments.isEmpty()) {
      throw new InvalidInputException("There are no segments to merge");
    }
    IndexMetadata first = segments.get(0).metadata();
    IndexedColumn column = column(first);
    RoaringBitmap covered = new RoaringBitmap();
    List<SegmentFiles> files = new ArrayList<>();
    for (IndexSegment segment : segments) {
      requireFitting(segment.metadata(), first, covered);
      files.add(
          SegmentFiles.of(source.version(), segment.metadata(), column.field(), source.session()));
    }
    boolean areVectors = first.details().map(VectorIndexDetails::areOfVectors).orElse(false);
    return areVectors ? mergeVectors(column, files, covered) : mergeScalar(column, files, covered);
  }

  private IndexedColumn column(IndexMetadata segment) {
    if (segment.fieldIds().size() == 1) {
      return IndexedColumn.withId(source.version().manifest().schema(), segment.fieldIds().get(0))
          .orElseThrow(
              () ->
                  new InvalidInputException(
                      "The column of segment " + segment.uuid() + " does not exist"));
    }
    throw new InvalidInputException("Segment " + segment.uuid() + " is not one of a single column");
  }

  /** Adds what a segment covers to what others do. */
  private void requireFitting(IndexMetadata segment, IndexMetadata first, RoaringBitmap covered) {
    if (!segment.fieldIds().equals(first.fieldIds())
        || !segment.details().equals(first.details())) {
      throw new InvalidInputException(
          "Segments " + first.uuid() + " and " + segment.uuid() + " are not of the same kind");
    }
    if (segment.datasetVersion() != source.version().version()) {
      throw new InvalidInputException(
          String.format(
              "Segment %s was built from version %s, and is to be merged in that one, not in %s",
              segment.uuid(),
              Long.toUnsignedString(segment.datasetVersion()),
              Long.toUnsignedString(source.version().version())));
    }
    RoaringBitmap fragments = segment.fragments().orElseGet(RoaringBitmap::new);
    RoaringBitmap unknown =
        RoaringBitmap.andNot(fragments, LogicalIndex.fragments(source.version()));
    RoaringBitmap twice = RoaringBitmap.and(covered, fragments);
    if (!unknown.isEmpty() || !twice.isEmpty()) {
      throw new InvalidInputException(
          String.format(
              "Segment %s covers fragment %s, which %s",
              segment.uuid(),
              Integer.toUnsignedLong(unknown.isEmpty() ? twice.first() : unknown.first()),
              unknown.isEmpty() ? "another one covers too" : "the table does not have"));
    }
    covered.or(fragments);
  }

  private IndexSegment mergeVectors(
      IndexedColumn column, List<SegmentFiles> files, RoaringBitmap covered) {
    List<VectorSegment> open = new ArrayList<>();
    List<RowTranslation> rows = new ArrayList<>();
    try {
      for (SegmentFiles each : files) {
        open.add(
            VectorSegment.open(
                each.location().store(),
                each.location().path(),
                source.session(),
                source.allocator()));
        rows.add(live(each, RowNumbers.IDS));
      }
      return new VectorBuild(source, column, options)
          .merge(open, rows, files.get(0).metadata(), List.of(), covered);
    } finally {
      open.forEach(VectorSegment::close);
    }
  }

  private IndexSegment mergeScalar(
      IndexedColumn column, List<SegmentFiles> files, RoaringBitmap covered) {
    ScalarKind kind = kind(files.get(0));
    List<SegmentInput.Old> old = new ArrayList<>();
    List<FragmentMetadata> anew = new ArrayList<>();
    for (SegmentFiles each : files) {
      RoaringBitmap fragments = LogicalIndex.covered(each.metadata(), source.version());
      if (kind.canTakeOver(each)) {
        old.add(new SegmentInput.Old(each, live(each, kind.numbers()), fragments));
      } else {
        source.version().manifest().fragments().stream()
            .filter(fragment -> fragments.contains((int) fragment.id()))
            .forEach(anew::add);
      }
    }
    return new ScalarBuild(source, column, options)
        .build(files.get(0).metadata().name(), kind.settings(files.get(0)), old, anew, covered);
  }

  private static ScalarKind kind(SegmentFiles files) {
    String name = files.metadata().details().map(IndexKinds::nameOf).orElse("unknown");
    return IndexKinds.scalar(name)
        .orElseThrow(
            () ->
                new InvalidInputException(
                    "Segments of the kind " + name + " cannot be merged; build the index anew"));
  }

  private RowTranslation live(SegmentFiles files, RowNumbers numbers) {
    return LiveRows.of(source, numbers, LogicalIndex.covered(files.metadata(), source.version()));
  }
}
