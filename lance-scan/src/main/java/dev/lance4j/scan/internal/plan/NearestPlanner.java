package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.sort.KeyColumn;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.index.internal.vector.VectorIndex;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.VectorColumn;
import dev.lance4j.index.vector.VectorSearch;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.scan.RowCounts;
import dev.lance4j.scan.expr.RowFilter;
import dev.lance4j.scan.internal.column.BlobFields;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.column.VirtualColumn;
import dev.lance4j.scan.internal.lookup.WhatIfDamaged;
import dev.lance4j.scan.internal.nearest.NearestQuery;
import dev.lance4j.scan.internal.nearest.RowDistances;
import dev.lance4j.scan.internal.read.AddressReader;
import dev.lance4j.scan.internal.read.RowReader;
import dev.lance4j.table.FragmentMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;
import org.roaringbitmap.RoaringBitmap;

/** Decides by which steps a scan for nearest rows is carried out. */
final class NearestPlanner {
  // Few enough that the vectors of a morsel stay in the cache, many enough to be worth a task.
  private static final long MORSEL_BYTES = 4L << 20;
  private static final int MOST_MORSEL_ROWS = 1 << 16;

  private final ScanRequest request;
  private final NearestQuery query;
  private final LanceSchema table;
  private final List<OutputColumn> outputs;
  private final FoundColumns columns;

  private NearestPlanner(ScanRequest request) {
    this.request = request;
    this.query = request.nearest();
    this.table = BlobFields.asRead(request.source().version().manifest().schema());
    this.outputs = request.selection().columns(table, request.found());
    this.columns = new FoundColumns(table, request.found());
  }

  /** The plan of a scan for nearest rows. */
  static BatchNode plan(ScanRequest request) {
    return new NearestPlanner(request).plan();
  }

  private BatchNode plan() {
    boolean filtersFound = request.condition() != null && !request.prefilter();
    RowFilter filter =
        request.condition() == null
            ? null
            : Planner.bind(request.condition(), table, filtersFound ? request.found() : List.of());
    BatchColumns filterColumns = filtersFound ? columns.input(filter.columns()) : null;
    List<KeyColumn> keys = keys();
    ProjectFoundNode.addNeeds(outputs, columns);

    BatchNode rows = nearest();
    boolean limitsFirst = !filtersFound && keys.isEmpty();
    rows = take(limitsFirst ? limit(rows) : rows);
    if (filtersFound) {
      rows = new FilterFoundNode(rows, filter, filterColumns, request.source().allocator());
    }
    if (!keys.isEmpty()) {
      rows = sort(rows, keys);
    }
    return new ProjectFoundNode(
        limitsFirst ? rows : limit(rows),
        outputs,
        columns,
        table.metadata(),
        request.source().allocator());
  }

  private List<KeyColumn> keys() {
    List<OutputColumn> found = Planner.keys(request.orderings(), table, request.found());
    List<KeyColumn> keys = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      keys.add(Planner.key(columns.position(found.get(i)), request.orderings().get(i)));
    }
    return keys;
  }

  private BatchNode limit(BatchNode rows) {
    return request.window().isAll()
        ? rows
        : new LimitNode(rows, request.window(), request.source().allocator());
  }

  private BatchNode take(BatchNode rows) {
    RowReader read = new RowReader(columns.read(), table);
    return new TakeFoundNode(
        rows, columns.read(), read, new AddressReader(request.source(), read, false));
  }

  private BatchNode sort(BatchNode rows, List<KeyColumn> keys) {
    return new SortNode(
        rows,
        request.orderings(),
        keys,
        0,
        request.size().rows(),
        request.sortMemory(),
        request.source().allocator());
  }

  private BatchNode nearest() {
    IndexChoice choice = IndexChoice.of(request);
    Metric metric = choice.metric().orElse(query.exactMetric());
    query.column().check(metric);
    List<FragmentMetadata> covered = new ArrayList<>();
    List<FragmentMetadata> others = new ArrayList<>();
    for (FragmentMetadata fragment : request.fragments().stream().distinct().toList()) {
      (choice.covers(fragment) ? covered : others).add(fragment);
    }
    List<NeighborsNode> searches = new ArrayList<>();
    boolean flat = choice.index().isEmpty() || (!others.isEmpty() && !request.fastSearch());
    if (!covered.isEmpty()) {
      searches.add(indexed(choice.index().get(), metric, covered, flat));
    }
    if (flat) {
      searches.add(flat(others, metric));
    }
    return new NearestNode(
        searches,
        choice.notes().stream().map(NoteNode::new).toList(),
        query,
        request.source(),
        request.size().rows());
  }

  /**
   * Searches an index.
   *
   * @param exactly whether distances are to be compared with exact ones
   */
  private NeighborsNode indexed(
      VectorIndex index, Metric metric, List<FragmentMetadata> covered, boolean exactly) {
    boolean isMulti = query.column().vectors().isMulti();
    boolean doubtful = index.mayHoldFormerVectors();
    boolean refined = exactly || isMulti || doubtful || query.asked().refine().isPresent();
    VectorSearch search =
        new SearchSettings(query, index.type(), metric, refined, doubtful).of(rows(covered));
    boolean isStable = request.source().version().manifest().hasStableRowIds();
    boolean filtered = request.prefilter() && request.condition() != null;
    VirtualColumn rowId = VirtualColumn.ROW_ID;
    NeighborsNode found =
        new IndexSearchNode(
            index,
            query.queries(),
            search,
            ids(covered),
            filtered
                ? Optional.of(
                    Planner.scan(
                        scanned(covered), List.of(new OutputColumn.Place(rowId, rowId.field()))))
                : Optional.empty(),
            request.whatIfDamaged() == WhatIfDamaged.GO_ON
                ? Optional.of(flat(covered, metric))
                : Optional.empty(),
            isStable ? RowDomain.STABLE_IDS : RowDomain.ADDRESSES);
    return refined
        ? new RefineNode(found, query, distances(metric), table, request.source())
        : found;
  }

  private static RoaringBitmap ids(List<FragmentMetadata> fragments) {
    RoaringBitmap ids = new RoaringBitmap();
    fragments.forEach(fragment -> ids.add((int) fragment.id()));
    return ids;
  }

  private long rows(List<FragmentMetadata> fragments) {
    long rows = 0;
    for (FragmentMetadata fragment : fragments) {
      rows += RowCounts.liveRows(request.source(), fragment);
    }
    return rows;
  }

  /** Measures all rows of some fragments. */
  private NeighborsNode flat(List<FragmentMetadata> fragments, Metric metric) {
    List<OutputColumn> measured = distances(metric);
    VirtualColumn rowId = VirtualColumn.ROW_ID;
    measured.add(new OutputColumn.Place(rowId, rowId.field()));
    return new FlatSearchNode(Planner.scan(scanned(fragments), measured), query, metric);
  }

  /** The distances to each query. */
  private List<OutputColumn> distances(Metric metric) {
    Field field = request.found().get(request.found().size() - 1);
    List<OutputColumn> distances = new ArrayList<>();
    for (List<QueryVector> vectors : query.queries()) {
      RowDistances measured = new RowDistances(query.column(), metric, vectors);
      distances.add(new OutputColumn.Distance(query.column().part(), measured, field));
    }
    return distances;
  }

  /** A scan of the rows among which the nearest are. */
  private ScanRequest scanned(List<FragmentMetadata> fragments) {
    return request
        .condition(request.prefilter() ? request.condition() : null)
        .fragments(fragments)
        .size(new BatchSize(morselRows(), Long.MAX_VALUE))
        .parallelism(
            new Parallelism(
                request.parallelism().executor(), request.parallelism().readAheadBytes(), false));
  }

  private int morselRows() {
    VectorColumn vectors = query.column().vectors();
    long rowBytes = (long) vectors.dimension() * vectors.element().bytes();
    return (int) Math.max(1, Math.min(MOST_MORSEL_ROWS, MORSEL_BYTES / rowBytes));
  }
}
