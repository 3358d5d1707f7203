package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.sort.KeyColumn;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.scan.expr.RowFilter;
import dev.lance4j.scan.internal.column.BlobFields;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.column.VirtualColumn;
import dev.lance4j.scan.internal.nearest.NearestQuery;
import dev.lance4j.scan.internal.nearest.RowDistances;
import dev.lance4j.scan.internal.read.AddressReader;
import dev.lance4j.scan.internal.read.RowReader;
import dev.lance4j.table.FragmentMetadata;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

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
    NeighborsNode all = flat(request.fragments(), query.exactMetric());
    return new NearestNode(List.of(all), query, request.source(), request.size().rows());
  }

  /** Measures all rows of some fragments. */
  private NeighborsNode flat(List<FragmentMetadata> fragments, Metric metric) {
    query.column().check(metric);
    List<OutputColumn> measured = new ArrayList<>();
    for (List<QueryVector> vectors : query.queries()) {
      RowDistances distances = new RowDistances(query.column(), metric, vectors);
      measured.add(new OutputColumn.Distance(query.column().part(), distances, distanceField()));
    }
    VirtualColumn rowId = VirtualColumn.ROW_ID;
    measured.add(new OutputColumn.Place(rowId, rowId.field()));
    ScanRequest scanned =
        request
            .condition(request.prefilter() ? request.condition() : null)
            .fragments(fragments.stream().distinct().toList())
            .size(new BatchSize(morselRows(), Long.MAX_VALUE))
            .parallelism(
                new Parallelism(
                    request.parallelism().executor(),
                    request.parallelism().readAheadBytes(),
                    false));
    return new FlatSearchNode(Planner.scan(scanned, measured), query, metric);
  }

  private Field distanceField() {
    return request.found().get(request.found().size() - 1);
  }

  private int morselRows() {
    long rowBytes =
        (long) query.column().vectors().dimension() * query.column().vectors().element().bytes();
    return (int) Math.max(1, Math.min(MOST_MORSEL_ROWS, MORSEL_BYTES / rowBytes));
  }
}
