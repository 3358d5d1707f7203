package dev.lance4j.index.internal.vector;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.internal.LogicalIndex;
import dev.lance4j.index.internal.segment.IndexedColumn;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.Neighbors;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.VectorColumn;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.index.vector.VectorSearch;
import dev.lance4j.index.vector.VectorSegment;
import dev.lance4j.rowid.AddressMap;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.rowid.RowSet;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.roaringbitmap.RoaringBitmap;

/**
 * A vector index of a version of a table. It answers for the fragments that its segments cover, by
 * the ids that the rows have in the version. Immutable and safe for use by many threads.
 */
public final class VectorIndex {
  // What stays in memory of an open segment is mostly its centroids.
  private static final long FILE_BYTES = 1 << 14;

  private final IndexSource source;
  private final String name;
  private final IndexedColumn column;
  private final List<SegmentFiles> segments;

  /**
   * @param segments at least one
   */
  public VectorIndex(
      IndexSource source, String name, IndexedColumn column, List<SegmentFiles> segments) {
    this.source = source;
    this.name = name;
    this.column = column;
    this.segments = List.copyOf(segments);
  }

  public String name() {
    return name;
  }

  public IndexedColumn column() {
    return column;
  }

  public List<SegmentFiles> segments() {
    return segments;
  }

  /** The fragments that the index answers for; owned by the caller. */
  public RoaringBitmap coverage() {
    RoaringBitmap coverage = new RoaringBitmap();
    segments.forEach(segment -> coverage.or(covered(segment)));
    return coverage;
  }

  private RoaringBitmap covered(SegmentFiles segment) {
    return LogicalIndex.covered(segment.metadata(), source.version());
  }

  /**
   * What its distances are.
   *
   * @throws CorruptFileException if a segment is damaged; the message says what to do
   * @throws UnsupportedFormatException if a segment is of a version that is not known, or segments
   *     differ
   */
  public Metric metric() {
    Metric first = withOpen(segments.get(0), VectorSegment::metric);
    for (SegmentFiles segment : segments) {
      Metric metric = withOpen(segment, VectorSegment::metric);
      if (metric != first) {
        throw new UnsupportedFormatException(
            "Segments of index '" + name + "' by " + first + " and by " + metric);
      }
    }
    return first;
  }

  /** The kind of index; throws as above. */
  public VectorIndexType type() {
    return withOpen(segments.get(0), VectorSegment::type);
  }

  /**
   * Whether segments may hold vectors that rows had before they were updated, as those of tables
   * with stable row ids do that other writers merged. What is found must then be measured, each row
   * may be found more than once, and some may take the places of others.
   */
  public boolean mayHoldFormerVectors() {
    return segments.stream().anyMatch(this::mayHoldFormerVectors);
  }

  /** Whether one of the segments may hold such vectors. */
  public boolean mayHoldFormerVectors(SegmentFiles segment) {
    if (!source.version().manifest().hasStableRowIds()
        || withOpen(segment, open -> segment.hasLiveRowsOnly())) {
      return false;
    }
    long vectors = withOpen(segment, open -> isMulti() ? 0 : open.rowCount());
    return new AnswerableRows(source).mayHaveHadOthers(covered(segment), vectors);
  }

  private boolean isMulti() {
    return VectorColumn.of(column.field().toArrow()).isMulti();
  }

  /**
   * Finds the nearest rows of the covered fragments. Their distances are estimates where the index
   * keeps vectors in a rounded form, and where rows have lists of vectors.
   *
   * @param queries each of one vector, or where rows have lists of them, of several
   * @param fragments where rows are wanted
   * @param among which rows only, by their ids; null for all
   * @throws CorruptFileException if a segment is damaged; the message says what to do
   */
  public List<Neighbors> search(
      List<List<QueryVector>> queries,
      VectorSearch search,
      RoaringBitmap fragments,
      RowSet<?> among) {
    if (among != null && among.isEmpty()) {
      return Collections.nCopies(queries.size(), new Neighbors(new long[0], new float[0]));
    }
    List<SegmentFiles> searched = new ArrayList<>();
    List<RowMask<?>> masks = new ArrayList<>();
    AnswerableRows rows = new AnswerableRows(source);
    for (SegmentFiles segment : segments) {
      RoaringBitmap covered = covered(segment);
      covered.and(fragments);
      if (!covered.isEmpty()) {
        searched.add(segment);
        masks.add(rows.mask(covered, among));
      }
    }
    return search(queries, search, searched, masks);
  }

  private List<Neighbors> search(
      List<List<QueryVector>> queries,
      VectorSearch search,
      List<SegmentFiles> searched,
      List<RowMask<?>> masks) {
    List<Session.Lease<VectorSegment>> leases = new ArrayList<>();
    try {
      for (SegmentFiles files : searched) {
        leases.add(acquire(files));
      }
      List<VectorSegment> open = leases.stream().map(Session.Lease::value).toList();
      List<Neighbors> found = new ArrayList<>();
      boolean areLists = isMulti();
      for (List<QueryVector> query : queries) {
        Neighbors neighbors =
            areLists
                ? VectorSegment.searchLists(open, masks, query, search)
                : VectorSegment.search(open, masks, query.get(0), search);
        found.add(currentIds(neighbors));
      }
      return found;
    } catch (CorruptFileException | ObjectNotFoundException e) {
      throw damaged(e);
    } finally {
      leases.forEach(Session.Lease::close);
    }
  }

  /** What statistics say of each segment; throws as above. */
  public List<Map<String, Object>> statistics() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (SegmentFiles segment : segments) {
      all.add(withOpen(segment, VectorSegment::statistics));
    }
    return all;
  }

  /** Segments that have not caught up with compactions name rows by where they were. */
  private Neighbors currentIds(Neighbors found) {
    AddressMap moves = source.version().movedRows();
    if (source.version().manifest().hasStableRowIds() || moves.isIdentity()) {
      return found;
    }
    long[] rowIds = found.rowIds().clone();
    for (int i = 0; i < rowIds.length; i++) {
      rowIds[i] = moves.map(rowIds[i]);
    }
    return new Neighbors(rowIds, found.distances());
  }

  /** An open segment reads partitions later on, for which it needs the same allocator. */
  private record Key(ObjectStore store, String path, BufferAllocator allocator) {}

  private Session.Lease<VectorSegment> acquire(SegmentFiles files) {
    ObjectStore store = files.location().store();
    String path = files.location().path();
    return source
        .session()
        .acquire(
            new Key(store, path, source.allocator()),
            () -> VectorSegment.open(store, path, source.session(), source.allocator()),
            VectorIndex::memoryBytes);
  }

  private static long memoryBytes(VectorSegment segment) {
    return FILE_BYTES + (long) segment.partitionCount() * segment.dimension() * Float.BYTES;
  }

  private <R> R withOpen(SegmentFiles files, Function<VectorSegment, R> use) {
    try (Session.Lease<VectorSegment> segment = acquire(files)) {
      return use.apply(segment.value());
    } catch (CorruptFileException | ObjectNotFoundException e) {
      throw damaged(e);
    }
  }

  /** The error of a segment that is damaged or not there; says what to do. */
  public CorruptFileException damaged(RuntimeException cause) {
    IndexMetadata first = segments.get(0).metadata();
    return new CorruptFileException(
        source.version().table().indexPath(first.uuid()),
        -1,
        "index '"
            + name
            + "' is damaged ("
            + cause.getMessage()
            + "); rebuild it by creating it again with replace, drop it, or search without it",
        cause);
  }

  @Override
  public String toString() {
    return type() + " " + name;
  }
}
