package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.sort.KeyColumn;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Ordering;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.expr.RowFilter;
import dev.lance4j.scan.internal.column.BlobFields;
import dev.lance4j.scan.internal.column.ColumnNeed;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.column.OutputColumns;
import dev.lance4j.scan.internal.column.ReadColumns;
import dev.lance4j.scan.internal.column.ReadGroup;
import dev.lance4j.scan.internal.column.ValueForm;
import dev.lance4j.scan.internal.column.ValueWidth;
import dev.lance4j.scan.internal.column.VirtualColumn;
import dev.lance4j.scan.internal.expr.Condition;
import dev.lance4j.scan.internal.lookup.LookUp;
import dev.lance4j.scan.internal.lookup.LookUpPlanner;
import dev.lance4j.scan.internal.read.AddressReader;
import dev.lance4j.scan.internal.read.ExpressionInput;
import dev.lance4j.scan.internal.read.Outputs;
import dev.lance4j.scan.internal.read.RowReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;

/** Decides by which steps a scan is carried out. */
public final class Planner {
  // As many first rows have their other columns read one by one, after they were found.
  private static final long MOST_TAKEN = 65_536;

  private final ScanRequest request;
  private final LanceSchema table;
  private final List<OutputColumn> outputs;

  private Planner(ScanRequest request) {
    this.request = request;
    this.table = BlobFields.asRead(request.source().version().manifest().schema());
    this.outputs = request.selection().columns(table);
  }

  /**
   * Binds a condition to the columns of a table, virtual ones included.
   *
   * @throws InvalidInputException if it does not fit them
   */
  public static RowFilter bind(Expression condition, LanceSchema table) {
    return bind(condition, table, List.of());
  }

  /** As above, where a search adds columns. */
  public static RowFilter bind(Expression condition, LanceSchema table, List<Field> found) {
    return RowFilter.of(condition, OutputColumns.withVirtual(table, found));
  }

  /**
   * Finds the column of each ordering.
   *
   * @throws InvalidInputException if there is none, or its values have no order
   */
  public static List<OutputColumn> keys(List<Ordering> orderings, LanceSchema table) {
    return keys(orderings, table, List.of());
  }

  /** As above, where a search adds columns. */
  public static List<OutputColumn> keys(
      List<Ordering> orderings, LanceSchema table, List<Field> found) {
    OutputColumns known = new OutputColumns(table, ValueForm.STORED, found);
    List<OutputColumn> keys = new ArrayList<>(orderings.size());
    for (Ordering ordering : orderings) {
      OutputColumn key = known.named(ordering.column(), ordering.column());
      if (!OutputColumns.isOrderable(key.field())) {
        throw new InvalidInputException(
            "Rows cannot be ordered by '"
                + ordering.column()
                + "': values of the type "
                + key.field().getType()
                + " have no order");
      }
      keys.add(key);
    }
    return keys;
  }

  /** The plan of a scan. */
  public static BatchNode plan(ScanRequest request) {
    BatchNode plan = request.nearest() == null ? planScan(request) : NearestPlanner.plan(request);
    return request.size().isBoundInBytes()
        ? new SplitNode(plan, request.size().bytes(), request.source().allocator())
        : plan;
  }

  /**
   * The plan of a scan without columns whose rows are only counted. Deleted rows must not be asked
   * for.
   */
  public static BatchNode count(ScanRequest request) {
    Planner planner = new Planner(request);
    ScanNode scan = planner.scan(planner.outputs, new Window(0, request.window().end()));
    return planner.limit(
        scan.work().found().isPresent() ? new CountNode(request.source(), scan) : scan);
  }

  private static BatchNode planScan(ScanRequest request) {
    Planner planner = new Planner(request);
    return request.orderings().isEmpty() ? planner.inTableOrder() : planner.inAskedOrder();
  }

  /** Reads columns of all rows that fulfil the condition, whatever else is asked for. */
  static ScanNode scan(ScanRequest request, List<OutputColumn> columns) {
    return new Planner(request.selection(Selection.ALL)).scan(columns, Window.ALL);
  }

  private BatchNode inTableOrder() {
    return request.condition() == null
        ? scan(outputs, request.window())
        : limit(scan(outputs, new Window(0, request.window().end())));
  }

  private BatchNode limit(BatchNode rows) {
    return request.window().isAll()
        ? rows
        : new LimitNode(rows, request.window(), request.source().allocator());
  }

  private BatchNode inAskedOrder() {
    List<OutputColumn> keys = keys(request.orderings(), table);
    long wanted = request.window().end();
    if (wanted <= MOST_TAKEN && isMoreThan(keys)) {
      return take(keys, (int) wanted);
    }
    List<OutputColumn> columns = new ArrayList<>(outputs);
    List<KeyColumn> positions = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      int found = columns.indexOf(keys.get(i));
      if (found < 0) {
        found = columns.size();
        columns.add(keys.get(i));
      }
      positions.add(key(found, request.orderings().get(i)));
    }
    double width = 0;
    for (OutputColumn column : columns) {
      width += ValueWidth.estimate(column.field());
    }
    boolean fits = wanted < Integer.MAX_VALUE && 2 * wanted * width <= request.sortMemory().bytes();
    BatchNode sorted = sort(scan(columns, Window.ALL), positions, fits ? (int) wanted : 0);
    BatchNode limited = limit(sorted);
    return columns.size() == outputs.size() ? limited : new DropNode(limited, outputs.size());
  }

  static KeyColumn key(int column, Ordering ordering) {
    return new KeyColumn(column, !ordering.ascending(), ordering.nullsFirst());
  }

  private BatchNode sort(BatchNode rows, List<KeyColumn> keys, int wanted) {
    return new SortNode(
        rows,
        request.orderings(),
        keys,
        wanted,
        request.size().rows(),
        request.sortMemory(),
        request.source().allocator());
  }

  /** Whether a scan gives columns that are stored and not among some. */
  private boolean isMoreThan(List<OutputColumn> some) {
    ReadColumns read = new ReadColumns(table);
    read.add(Outputs.needs(some, table));
    return Outputs.needs(outputs, table).stream().anyMatch(need -> read.find(need) < 0);
  }

  /** Finds the first rows by their keys alone and then reads what else is wanted of them. */
  private BatchNode take(List<OutputColumn> keys, int wanted) {
    List<OutputColumn> columns = new ArrayList<>(keys);
    List<KeyColumn> positions = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      positions.add(key(i, request.orderings().get(i)));
    }
    VirtualColumn address = VirtualColumn.ROW_ADDRESS;
    columns.add(new OutputColumn.Place(address, address.field()));
    BatchNode found = limit(sort(scan(columns, Window.ALL), positions, Math.max(1, wanted)));
    RowReader rows = new RowReader(outputs, table);
    return new TakeNode(
        found, outputs, rows, new AddressReader(request.source(), rows, request.deletedToo()));
  }

  /** Reads columns of the rows that fulfil the condition, in the order of the table. */
  private ScanNode scan(List<OutputColumn> columns, Window window) {
    ScanWork work = request.condition() == null ? readAll(columns) : readMatching(columns);
    return new ScanNode(
        request.source(),
        work,
        request.deletedToo(),
        window,
        request.size(),
        request.parallelism());
  }

  private ScanWork readAll(List<OutputColumn> columns) {
    ReadColumns read = new ReadColumns(table);
    ReadGroup all = read.add(Outputs.needs(columns, table));
    ProjectNode rows = new ProjectNode(new ReadNode(read, all), new Outputs(columns, table, read));
    return new ScanWork(request.fragments(), rows, true, Optional.empty(), List.of());
  }

  private ScanWork readMatching(List<OutputColumn> columns) {
    Condition filter = Condition.of(request.condition(), OutputColumns.withVirtual(table));
    LookUpPlanner.Decision decision = lookUp(filter);
    return new ScanWork(
        request.fragments(),
        readMatching(columns, filter),
        false,
        decision.lookUp().map(lookUp -> readFound(columns, lookUp)),
        decision.notes().stream().map(NoteNode::new).toList());
  }

  private LookUpPlanner.Decision lookUp(Condition filter) {
    return request.indicesUsed() && !request.deletedToo()
        ? LookUpPlanner.decide(
            filter, request.fragments(), request.source(), request.whatIfDamaged())
        : LookUpPlanner.Decision.NONE;
  }

  /** Checks all rows. */
  private ProjectNode readMatching(List<OutputColumn> columns, Condition filter) {
    ReadColumns read = new ReadColumns(table);
    ReadGroup first = read.add(ColumnNeed.ofStored(filter.columns(), table));
    List<ReadGroup> later = read.addByWidth(Outputs.needs(columns, table));
    Outputs made = new Outputs(columns, table, read);
    MorselNode checked = filtered(new ReadNode(read, first), filter, first, read, made);
    return new ProjectNode(late(checked, later), made);
  }

  /** Checks of the rows that indices find what these do not know. */
  private ScanWork.Found readFound(List<OutputColumn> columns, LookUp lookUp) {
    ReadColumns read = new ReadColumns(table);
    LookUpNode found = new LookUpNode(lookUp, read, request.fragments());
    MorselNode rows = found;
    Outputs made;
    List<ReadGroup> later;
    if (lookUp.remaining().isPresent()) {
      Condition filter = lookUp.remaining().get();
      ReadGroup first = read.add(ColumnNeed.ofStored(filter.columns(), table));
      later = read.addByWidth(Outputs.needs(columns, table));
      made = new Outputs(columns, table, read);
      rows = filtered(late(rows, List.of(first)), filter, first, read, made);
    } else {
      later = read.addByWidth(Outputs.needs(columns, table));
      made = new Outputs(columns, table, read);
    }
    ProjectNode work = new ProjectNode(late(rows, later), made);
    return new ScanWork.Found(found, work, lookUp.remaining().isEmpty());
  }

  private static MorselNode late(MorselNode rows, List<ReadGroup> groups) {
    MorselNode read = rows;
    for (ReadGroup group : groups) {
      read = group.isEmpty() ? read : new LateReadNode(read, group);
    }
    return read;
  }

  private FilterNode filtered(
      MorselNode all, Condition filter, ReadGroup first, ReadColumns read, Outputs made) {
    List<FilterNode.Kept> kept = new ArrayList<>();
    for (int i = 0; i < first.schema().fields().size(); i++) {
      int slot = first.firstSlot() + i;
      if (made.uses(slot)) {
        Field field = read.field(slot).toArrow();
        kept.add(new FilterNode.Kept(slot, field));
      }
    }
    return new FilterNode(all, filter, ExpressionInput.of(filter.columns(), table, read), kept);
  }
}
