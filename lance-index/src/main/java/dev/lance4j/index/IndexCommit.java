package dev.lance4j.index;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.VersionNotFoundException;
import dev.lance4j.index.internal.IndexKinds;
import dev.lance4j.index.internal.LogicalIndex;
import dev.lance4j.index.internal.segment.IndexedColumn;
import dev.lance4j.index.internal.segment.SegmentWriter;
import dev.lance4j.index.vector.VectorIndexDetails;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes segments that are built the index of a name. Immutable. */
public final class IndexCommit {
  private static final Logger LOG = LoggerFactory.getLogger(IndexCommit.class);

  private final TableVersion version;
  private final String name;
  private final IndexedColumn column;
  private final boolean replace;

  /**
   * @param version the version that the segments were built from, or a later one
   * @param name what to call the index
   * @param column path of the column that it is on
   * @param replace whether an index of the same name and column goes; otherwise that is an error
   * @throws InvalidInputException if there is no such column, the table keeps the name for itself,
   *     or there is an index of the name that is not to be replaced or is one of another column
   */
  public IndexCommit(TableVersion version, String name, String column, boolean replace) {
    this.version = version;
    this.name = name;
    this.column = IndexedColumn.named(version.manifest().schema(), column);
    this.replace = replace;
    if (name.equals(IndexMetadata.FRAGMENT_REUSE) || name.equals(IndexMetadata.MEM_WAL)) {
      throw new InvalidInputException(
          "The table keeps an index named '" + name + "' for itself; choose another name");
    }
    requireFree();
  }

  private void requireFree() {
    for (IndexMetadata segment : existing()) {
      if (!segment.fieldIds().equals(List.of(column.field().id()))) {
        throw new InvalidInputException(
            "Index name '"
                + name
                + "' already exists with different fields, please specify a different name");
      }
      if (!replace) {
        throw new InvalidInputException(
            "Index name '"
                + name
                + "' already exists, please specify a different name or use replace=True");
      }
    }
  }

  private List<IndexMetadata> existing() {
    LogicalIndex index = LogicalIndex.all(version).get(name);
    return index == null ? List.of() : index.segments();
  }

  /**
   * Commits the segments; when that is refused, their files are removed.
   *
   * @param segments at least one
   * @return the version with the index
   * @throws InvalidInputException if segments cover the same fragment or one that their version
   *     does not have, or are of different columns, kinds or versions
   * @throws CommitConflictException if the table was overwritten or the index replaced meanwhile
   */
  public TableVersion commit(List<IndexSegment> segments) {
    if (segments.isEmpty()) {
      throw new InvalidInputException("An index needs at least one segment");
    }
    List<IndexMetadata> added =
        segments.stream().map(segment -> segment.metadata().withName(name)).toList();
    RoaringBitmap covered = new RoaringBitmap();
    for (IndexMetadata segment : added) {
      requireFitting(segment, added.get(0));
      RoaringBitmap fragments = segment.fragments().orElseGet(RoaringBitmap::new);
      if (RoaringBitmap.intersects(covered, fragments)) {
        throw new InvalidInputException(
            "Two segments of index '"
                + name
                + "' cover fragment "
                + Integer.toUnsignedLong(RoaringBitmap.and(covered, fragments).first())
                + "; build each from other fragments");
      }
      covered.or(fragments);
    }
    requireExisting(covered, added.get(0).datasetVersion());
    return commit(added, new Operation.CreateIndex(added, existing()));
  }

  private void requireExisting(RoaringBitmap covered, long built) {
    if (Long.compareUnsigned(built, version.version()) > 0) {
      throw new InvalidInputException(
          String.format(
              "The segments of index '%s' were built from version %s, which is later than %s",
              name, Long.toUnsignedString(built), Long.toUnsignedString(version.version())));
    }
    RoaringBitmap unknown = covered.clone();
    try {
      unknown.andNot(
          LogicalIndex.fragments(
              built == version.version() ? version : version.table().version(built)));
    } catch (VersionNotFoundException e) {
      LOG.debug("not known which fragments version {} had", built, e);
      return;
    }
    if (!unknown.isEmpty()) {
      throw new InvalidInputException(
          String.format(
              "A segment of index '%s' covers fragment %s, which version %s does not have: it is"
                  + " one of another table",
              name, Integer.toUnsignedLong(unknown.first()), Long.toUnsignedString(built)));
    }
  }

  private void requireFitting(IndexMetadata segment, IndexMetadata first) {
    if (!segment.fieldIds().equals(List.of(column.field().id()))) {
      throw new InvalidInputException(
          "Segment " + segment.uuid() + " is not one of column '" + column.name() + "'");
    }
    if (!kind(segment).equals(kind(first))) {
      throw new InvalidInputException(
          "Segments of the kinds "
              + kind(first)
              + " and "
              + kind(segment)
              + " cannot form index '"
              + name
              + "' together");
    }
    if (segment.datasetVersion() != first.datasetVersion()) {
      throw new InvalidInputException(
          "The segments of index '"
              + name
              + "' were built from versions "
              + Long.toUnsignedString(first.datasetVersion())
              + " and "
              + Long.toUnsignedString(segment.datasetVersion())
              + "; build all of them from one version");
    }
  }

  private String kind(IndexMetadata segment) {
    String path = version.table().indexPath(segment.uuid());
    return segment
        .details()
        .map(
            details ->
                VectorIndexDetails.read(details, path)
                    .map(vector -> vector.type() + " by " + vector.metric())
                    .orElseGet(() -> IndexKinds.nameOf(details)))
        .orElse("unknown");
  }

  private TableVersion commit(List<IndexMetadata> added, Operation operation) {
    long read = added.get(0).datasetVersion();
    try {
      return new Committer(version.table(), CommitOptions.DEFAULT)
          .commit(version, Transaction.of(read, operation));
    } catch (LanceException e) {
      // Unlike after a failure of the store, it is known that nothing was committed.
      added.forEach(
          segment -> SegmentWriter.remove(version.table(), segment.uuid(), segment.files()));
      throw e;
    }
  }
}
