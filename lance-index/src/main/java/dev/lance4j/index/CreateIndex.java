package dev.lance4j.index;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.index.internal.IndexKinds;
import dev.lance4j.index.internal.LogicalIndex;
import dev.lance4j.index.internal.scalar.ScalarBuild;
import dev.lance4j.index.internal.segment.IndexedColumn;
import dev.lance4j.index.internal.segment.SegmentWriter;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/** Builds an index on a column, or a segment of one. Immutable. */
public final class CreateIndex {
  private final IndexSource source;
  private final IndexedColumn column;
  private final IndexSpec spec;
  private final IndexOptions options;
  private final String name;

  /**
   * @param source the version whose rows go into the index
   * @param column path of the column; dots lead into structs
   * @throws InvalidInputException if there is no such column, or the kind of index does not go with
   *     it
   */
  public CreateIndex(IndexSource source, String column, IndexSpec spec, IndexOptions options) {
    this.source = source;
    this.column = IndexedColumn.named(source.version().manifest().schema(), column);
    this.spec = spec;
    this.options = options;
    this.name = options.name().orElseGet(() -> column + "_idx");
    if (name.equals(IndexMetadata.FRAGMENT_REUSE) || name.equals(IndexMetadata.MEM_WAL)) {
      throw new InvalidInputException(
          "The table keeps an index named '" + name + "' for itself; choose another name");
    }
    if (spec instanceof ScalarIndexSpec scalar) {
      IndexKinds.of(scalar).check(this.column.field());
    }
  }

  /**
   * Builds the index and commits it.
   *
   * @return the version with the index
   * @throws InvalidInputException if an index of the name exists and is not to be replaced, or is
   *     one of another column
   * @throws CommitConflictException if the table was overwritten or its index replaced meanwhile
   */
  public TableVersion execute() {
    List<IndexMetadata> replaced = replaced();
    IndexSegment segment = segment();
    return commit(List.of(segment), replaced);
  }

  /** The segments of an index of the name, which may be replaced. */
  private List<IndexMetadata> replaced() {
    LogicalIndex existing = LogicalIndex.all(source.version()).get(name);
    if (existing == null) {
      return List.of();
    }
    if (existing.segments().stream()
        .anyMatch(segment -> !segment.fieldIds().equals(List.of(column.field().id())))) {
      throw new InvalidInputException(
          "Index name '"
              + name
              + "' already exists with different fields, please specify a different name");
    }
    if (!options.replace()) {
      throw new InvalidInputException(
          "Index name '"
              + name
              + "' already exists, please specify a different name or use replace=True");
    }
    return existing.segments();
  }

  /**
   * Builds a segment of the index without committing it. Segments of different fragments may be
   * built at the same time in different places from the same version, and committed together.
   *
   * @see #commit(List)
   */
  public IndexSegment segment() {
    List<FragmentMetadata> fragments = fragments();
    if (spec instanceof ScalarIndexSpec scalar) {
      return new ScalarBuild(source, column, options).train(name, scalar, fragments);
    }
    throw new InvalidInputException("No index can be built from " + spec);
  }

  private List<FragmentMetadata> fragments() {
    List<FragmentMetadata> all = source.version().manifest().fragments();
    if (!options.train()) {
      return List.of();
    }
    if (options.fragmentIds().isEmpty()) {
      return all;
    }
    Map<Long, FragmentMetadata> byId = new HashMap<>();
    all.forEach(fragment -> byId.put(fragment.id(), fragment));
    List<FragmentMetadata> chosen = new ArrayList<>();
    for (long id : new LinkedHashSet<>(options.fragmentIds().get())) {
      FragmentMetadata fragment = byId.get(id);
      if (fragment == null) {
        throw new InvalidInputException(
            "There is no fragment " + id + " in version " + source.version().version());
      }
      chosen.add(fragment);
    }
    chosen.sort((a, b) -> Long.compare(a.id(), b.id()));
    return chosen;
  }

  /**
   * Commits segments that were built from this version as the index.
   *
   * @return the version with the index
   * @throws InvalidInputException if segments cover the same fragment, are of different columns or
   *     kinds, or were built from other versions; and as {@link #execute}
   * @throws CommitConflictException as {@link #execute}
   */
  public TableVersion commit(List<IndexSegment> segments) {
    List<IndexMetadata> replaced = replaced();
    RoaringBitmap covered = new RoaringBitmap();
    List<IndexSegment> named = new ArrayList<>();
    for (IndexSegment segment : segments) {
      IndexMetadata metadata = segment.metadata();
      requireFitting(metadata, segments.get(0).metadata());
      RoaringBitmap fragments = metadata.fragments().orElseGet(RoaringBitmap::new);
      if (RoaringBitmap.intersects(covered, fragments)) {
        throw new InvalidInputException(
            "Two segments of index '"
                + name
                + "' cover fragment "
                + Integer.toUnsignedLong(RoaringBitmap.and(covered, fragments).first())
                + "; build each from other fragments");
      }
      covered.or(fragments);
      named.add(new IndexSegment(metadata.withName(name)));
    }
    if (named.isEmpty()) {
      throw new InvalidInputException("An index needs at least one segment to commit");
    }
    return commit(named, replaced);
  }

  private void requireFitting(IndexMetadata segment, IndexMetadata first) {
    if (!segment.fieldIds().equals(List.of(column.field().id()))) {
      throw new InvalidInputException(
          "Segment " + segment.uuid() + " is not one of column '" + column.name() + "'");
    }
    String kind = segment.details().map(IndexKinds::nameOf).orElse("");
    if (!kind.equals(first.details().map(IndexKinds::nameOf).orElse(""))) {
      throw new InvalidInputException(
          "Segments of different kinds cannot form index '" + name + "'");
    }
    if (segment.datasetVersion() != source.version().version()) {
      throw new InvalidInputException(
          "Segment "
              + segment.uuid()
              + " was built from version "
              + segment.datasetVersion()
              + ", not from version "
              + source.version().version()
              + "; commit it on that version");
    }
  }

  private TableVersion commit(List<IndexSegment> segments, List<IndexMetadata> replaced) {
    TableVersion version = source.version();
    List<IndexMetadata> added = segments.stream().map(IndexSegment::metadata).toList();
    Operation operation = new Operation.CreateIndex(added, replaced);
    try {
      return new Committer(version.table(), CommitOptions.DEFAULT)
          .commit(version, Transaction.of(version.version(), operation));
    } catch (LanceException e) {
      // Unlike after a failure of the store, it is known that nothing was committed.
      added.forEach(
          segment -> SegmentWriter.remove(version.table(), segment.uuid(), segment.files()));
      throw e;
    }
  }
}
