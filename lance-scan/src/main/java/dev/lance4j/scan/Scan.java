package dev.lance4j.scan;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.sort.SortedRows;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.expr.Expressions;
import dev.lance4j.scan.internal.column.BlobFields;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.column.OutputColumns;
import dev.lance4j.scan.internal.column.ValueForm;
import dev.lance4j.scan.internal.column.VirtualColumn;
import dev.lance4j.scan.internal.expr.substrait.SubstraitFilters;
import dev.lance4j.scan.internal.lookup.WhatIfDamaged;
import dev.lance4j.scan.internal.nearest.NearestQuery;
import dev.lance4j.scan.internal.plan.BatchNode;
import dev.lance4j.scan.internal.plan.BatchSize;
import dev.lance4j.scan.internal.plan.Parallelism;
import dev.lance4j.scan.internal.plan.PlanText;
import dev.lance4j.scan.internal.plan.Planner;
import dev.lance4j.scan.internal.plan.ScanRequest;
import dev.lance4j.scan.internal.plan.ScanRun;
import dev.lance4j.scan.internal.plan.Selection;
import dev.lance4j.scan.internal.plan.Threads;
import dev.lance4j.scan.internal.plan.Window;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Session;
import dev.lance4j.table.TableVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A description of what to read of a version of a table. Immutable: each method returns a refined
 * copy.
 */
public final class Scan {
  /** The number of rows in a batch unless asked otherwise. */
  public static final int DEFAULT_BATCH_SIZE = 8192;

  /** The bytes of batches that are read ahead unless asked otherwise. */
  public static final long DEFAULT_READ_AHEAD_BYTES = 64L << 20;

  /** The bytes of memory that ordering rows may take unless asked otherwise. */
  public static final long DEFAULT_SORT_MEMORY_BYTES = 256L << 20;

  private final ScanRequest request;
  private final ScanListener listener;

  /**
   * Where a scan reads.
   *
   * @param version of the table
   * @param session keeps files open between scans
   * @param allocator where batches come from
   */
  public record Source(TableVersion version, Session session, BufferAllocator allocator) {}

  /** A scan of all rows and columns. */
  public Scan(Source source) {
    this(
        new ScanRequest(
            source,
            new BatchSize(DEFAULT_BATCH_SIZE, Long.MAX_VALUE),
            new Parallelism(Threads.shared(), DEFAULT_READ_AHEAD_BYTES, true),
            new SortedRows.Memory(DEFAULT_SORT_MEMORY_BYTES, null)),
        null);
  }

  private Scan(ScanRequest request, ScanListener listener) {
    this.request = request;
    this.listener = listener;
  }

  private Scan with(ScanRequest changed) {
    return new Scan(changed, listener);
  }

  private Scan with(Selection columns) {
    columns.columns(table(), request.found());
    return with(request.selection(columns));
  }

  private LanceSchema table() {
    return BlobFields.asRead(request.source().version().manifest().schema());
  }

  /**
   * Gives these columns, in this order; when called again, more columns after them. Unless it is
   * called, a scan gives all columns of the table. Without names, batches only have a number of
   * rows.
   *
   * @param columns names. {@code a.b} is the field {@code b} of the struct {@code a}, given as a
   *     column {@code a.b}; names that hold dots or back-ticks are written in back-ticks. {@code *}
   *     stands for all columns of the table. {@code _rowid}, {@code _rowaddr}, {@code _rowoffset},
   *     {@code _row_created_at_version} and {@code _row_last_updated_at_version} are columns too,
   *     unsigned 64-bit numbers
   * @throws InvalidInputException if there is no such column, which the message then names, or two
   *     columns have the same name
   */
  public Scan select(String... columns) {
    return with(
        request
            .selection()
            .and(
                Arrays.stream(columns).map(name -> new Selection.Item(name, name, null)).toList()));
  }

  /**
   * Gives two columns as above; or, if the second is not the name of a column, one column that has
   * the first as its name and is computed by the second, such as {@code select("minutes", "seconds
   * / 60")}.
   *
   * @throws InvalidInputException also if the expression does not fit the table
   */
  public Scan select(String first, String second) {
    boolean isName =
        second.equals("*")
            || new OutputColumns(table(), ValueForm.STORED, request.found()).exists(second);
    return isName ? select(new String[] {first, second}) : selectAs(first, second);
  }

  /**
   * Gives a column that an expression computes, after those that are selected already.
   *
   * @param name of the column
   * @param expression as in filters, of any type; a lone column is given under the new name
   * @throws InvalidInputException if the expression does not fit the table, or there is a column of
   *     that name already
   */
  public Scan selectAs(String name, String expression) {
    return selectAs(name, Expression.parse(expression));
  }

  /** As above, with an expression that was built. */
  public Scan selectAs(String name, Expression expression) {
    return with(request.selection().and(List.of(new Selection.Item(name, null, expression))));
  }

  /**
   * Adds the column {@code _rowid}, an unsigned 64-bit number, at the end: the row's stable id if
   * the table has such ids, and else its address.
   */
  public Scan withRowId() {
    return with(request.selection().with(VirtualColumn.ROW_ID));
  }

  /**
   * Adds the column {@code _rowaddr}, an unsigned 64-bit number, at the very end: the fragment's id
   * in the high 32 bits, the row's offset in the fragment in the low ones.
   */
  public Scan withRowAddress() {
    return with(request.selection().with(VirtualColumn.ROW_ADDRESS));
  }

  /**
   * Adds the columns {@code _row_created_at_version} and {@code _row_last_updated_at_version} at
   * the end, before {@code _rowid}: the versions of the table in which the row was inserted and in
   * which its values changed last. Both are 1 for rows of tables without stable row ids, which do
   * not record them.
   */
  public Scan withRowVersions() {
    return with(
        request
            .selection()
            .with(VirtualColumn.CREATED_VERSION)
            .with(VirtualColumn.LAST_UPDATED_VERSION));
  }

  /**
   * Gives the values of blob columns as binary. Unless this is asked for, a blob column gives where
   * each value lies. A large binary column that is marked as blob gives a struct of two unsigned
   * 64-bit numbers, {@code position} and {@code size} in the data file, both 0 for an empty value;
   * a null is a null struct, except in files of version 2.0, where it has position 1 and size 0. A
   * column of the extension type {@code lance.blob.v2} gives a struct of {@code kind} (0 in the
   * data file, 1 and 2 in another object of the table, 3 in an object elsewhere), {@code position},
   * {@code size}, {@code blob_id} and {@code blob_uri}. {@link BlobTake} reads values by and by.
   */
  public Scan withBlobBytes() {
    return with(request.selection().with(ValueForm.WITH_BYTES));
  }

  /**
   * Only rows for which a condition is true, not false or null. Conditions of several calls must
   * all be true. Limit and offset count the rows that remain.
   *
   * @param filter as the real library writes filters, such as {@code year > 1990 AND name LIKE
   *     'A%'}
   * @throws InvalidInputException if it is not well-formed, names what there is not, or is no
   *     condition; the message says where
   */
  public Scan where(String filter) {
    return where(Expression.parse(filter));
  }

  /** As above, with a condition that was built. */
  public Scan where(Expression filter) {
    Expression condition = request.condition();
    Expression both = condition == null ? filter : Expressions.and(condition, filter);
    Planner.bind(both, table(), request.found());
    return with(request.condition(both));
  }

  /**
   * Only rows for which a condition is true that an engine pushed down; as above. Needs the library
   * {@code io.substrait:core} at run time.
   *
   * @param extendedExpression a Substrait {@code ExtendedExpression} message with one referred
   *     expression, whose base schema lists all columns of the table in order
   * @throws InvalidInputException if it is not such a message, or uses what filters do not know
   */
  public Scan whereSubstrait(ByteBuffer extendedExpression) {
    return where(
        SubstraitFilters.parse(
            extendedExpression, request.source().version().manifest().schema().toArrow()));
  }

  /**
   * Whether scalar indices may find the rows that fulfil the condition, as they do unless told
   * otherwise. The rows are the same without. Indices are not used where deleted rows are included.
   */
  public Scan useScalarIndex(boolean used) {
    return with(request.indicesUsed(used));
  }

  /**
   * Whether to go on without an index that is damaged. Unless this is asked for, a scan that such
   * an index would help fails with a {@link dev.lance4j.format.CorruptFileException} that names the
   * index and says how to repair it. {@link #explain} and {@link ScanMetrics} tell of indices that
   * were passed over.
   */
  public Scan skipDamagedIndices(boolean skipped) {
    return with(request.whatIfDamaged(skipped ? WhatIfDamaged.GO_ON : WhatIfDamaged.FAIL));
  }

  /**
   * Only the rows whose vectors are the nearest to a vector, the nearest first, and of those at the
   * same distance the one with the least row id first. Rows without a vector, and those whose
   * distance is not a number, are not found. Adds the column {@code _distance} after those of the
   * table or those selected, single-precision numbers; further calls of this scan may name it.
   * Limit and offset count the rows found.
   *
   * @throws InvalidInputException if there is no such column or the query does not fit it
   * @throws dev.lance4j.format.SchemaMismatchException if it is not a column of vectors
   */
  public Scan nearest(VectorQuery query) {
    return with(request.nearest(NearestQuery.bind(query, table())));
  }

  /**
   * Whether the nearest are sought among the rows that fulfil the condition only. Unless this is
   * asked for, the condition, which then may name {@code _distance}, is applied to the rows that
   * were found, of which it may leave few or none.
   */
  public Scan prefilter(boolean first) {
    return with(request.prefilter(first));
  }

  /**
   * Whether the nearest are sought only in what an index covers, and not in newer rows too. Without
   * an index they are sought in all rows.
   */
  public Scan fastSearch(boolean indexedOnly) {
    return with(request.fastSearch(indexedOnly));
  }

  /**
   * Gives rows in this order instead of that of the table: by the first column, rows that are equal
   * in it by the second, and so on; in which order rows come that are equal in all is not said. The
   * order comes before limit and offset. None restores the order of the table.
   *
   * @throws InvalidInputException if there is no such column or its values have no order
   */
  public Scan orderBy(Ordering... orderings) {
    List<Ordering> order = List.of(orderings);
    Planner.keys(order, table(), request.found());
    return with(request.orderings(order));
  }

  /**
   * At most this many rows.
   *
   * @throws InvalidInputException if it is negative
   */
  public Scan limit(long rows) {
    check(rows >= 0, "The limit must not be negative, but is " + rows);
    return with(request.window(new Window(request.window().offset(), rows)));
  }

  /**
   * Without the first rows.
   *
   * @param rows how many to pass over
   * @throws InvalidInputException if it is negative
   */
  public Scan offset(long rows) {
    check(rows >= 0, "The offset must not be negative, but is " + rows);
    return with(request.window(new Window(rows, request.window().limit())));
  }

  /**
   * At most this many rows in a batch.
   *
   * @throws InvalidInputException unless it is positive
   */
  public Scan batchSize(int rows) {
    check(rows > 0, "The batch size must be positive, but is " + rows);
    return with(request.size(new BatchSize(rows, request.size().bytes())));
  }

  /**
   * At most this many bytes in a batch, as {@link ArrowReader#bytesRead} counts them, unless it has
   * only one row. The number of rows is bounded too.
   *
   * @throws InvalidInputException unless it is positive
   */
  public Scan batchBytes(long bytes) {
    check(bytes > 0, "The size of a batch must be positive, but is " + bytes + " bytes");
    return with(request.size(new BatchSize(request.size().rows(), bytes)));
  }

  /**
   * Only the rows of these fragments, in this order. The rows of a fragment that is named twice
   * come twice.
   *
   * @throws InvalidInputException if there is no such fragment
   */
  public Scan fragments(long... ids) {
    List<FragmentMetadata> chosen = new ArrayList<>(ids.length);
    for (long id : ids) {
      chosen.add(
          request
              .source()
              .version()
              .manifest()
              .fragment(id)
              .orElseThrow(
                  () ->
                      new InvalidInputException(
                          "There is no fragment " + id + " in " + request.source().version())));
    }
    return with(request.fragments(chosen));
  }

  /**
   * Gives deleted rows too, as far as their fragments are still there: their {@code _rowid} and
   * {@code _rowoffset} are null, the other columns are as they were.
   */
  public Scan includeDeletedRows() {
    return with(request.deletedToo(true));
  }

  /**
   * Whether batches come in the order of the table, as they do unless told otherwise. In any order
   * they may come sooner. Does not matter where rows are {@linkplain #orderBy ordered} by columns.
   */
  public Scan inOrder(boolean ordered) {
    Parallelism old = request.parallelism();
    return with(
        request.parallelism(new Parallelism(old.executor(), old.readAheadBytes(), ordered)));
  }

  /**
   * Reads and decodes on these threads instead of those that all scans share. The reader's own
   * thread helps, so that any number of threads will do; with {@code Runnable::run} it does all.
   */
  public Scan executor(Executor executor) {
    Parallelism old = request.parallelism();
    return with(
        request.parallelism(new Parallelism(executor, old.readAheadBytes(), old.ordered())));
  }

  /**
   * At most this many bytes of batches that are read before they are asked for; 0 for none.
   *
   * @throws InvalidInputException if it is negative
   */
  public Scan readAhead(long bytes) {
    check(bytes >= 0, "The bytes to read ahead must not be negative, but are " + bytes);
    Parallelism old = request.parallelism();
    return with(request.parallelism(new Parallelism(old.executor(), bytes, old.ordered())));
  }

  /**
   * Orders rows in this much memory, but for a batch or two. Rows that do not fit are sorted by
   * parts, which are put into temporary files of a new folder and then merged. The folder goes when
   * the reader is closed.
   *
   * @param bytes of memory
   * @param folder where to make the folder; null for the system's place for temporary files
   * @throws InvalidInputException unless the number is positive
   */
  public Scan sortMemory(long bytes, Path folder) {
    check(bytes > 0, "The memory for sorting must be positive, but is " + bytes + " bytes");
    return with(request.sortMemory(new SortedRows.Memory(bytes, folder)));
  }

  /** Tells how the scan goes. */
  public Scan listener(ScanListener told) {
    return new Scan(request, told);
  }

  private static void check(boolean condition, String message) {
    if (!condition) {
      throw new InvalidInputException(message);
    }
  }

  /** The schema of the batches. */
  public Schema schema() {
    List<Field> fields =
        request.selection().columns(table(), request.found()).stream()
            .map(OutputColumn::field)
            .toList();
    return new Schema(fields, table().metadata());
  }

  /**
   * Starts reading. Columns of JSON, which tables store in a binary form, are given as text with
   * the extension name {@code arrow.json}. The reader is for one thread at a time and must be
   * closed, which stops what is read ahead. When the reading thread is interrupted, reading stops
   * with a {@link LanceException} and the thread stays interrupted.
   *
   * @throws InvalidInputException if deleted rows are included without {@code _rowid}, by which
   *     they are told from others
   */
  public ArrowReader open() {
    return new ArrayBatchReader(request.source().allocator(), schema(), run());
  }

  private ScanRun run() {
    check(
        !request.deletedToo() || request.nearest() == null,
        "Cannot include deleted rows in a search for nearest rows");
    check(
        !request.deletedToo() || givesRowIds(),
        "A scan that includes deleted rows must give _rowid, which is null for them;"
            + " ask for withRowId()");
    return new ScanRun(Planner.plan(request), listener);
  }

  private boolean givesRowIds() {
    return request.selection().columns(table(), request.found()).stream()
        .anyMatch(
            column ->
                column instanceof OutputColumn.Place place
                    && place.column() == VirtualColumn.ROW_ID);
  }

  /** Calls back with each batch, which is valid only during the call. */
  public void forEachBatch(Consumer<VectorSchemaRoot> consumer) {
    try (ArrowReader reader = open()) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      while (reader.loadNextBatch()) {
        consumer.accept(root);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The number of rows that the scan gives. No row is read without a condition, nor where indices
   * answer it.
   */
  public long count() {
    if (request.nearest() != null) {
      return count(request.selection(Selection.ALL.and(List.of())));
    }
    return request.window().count(request.condition() == null ? countAll() : countMatching());
  }

  private long countAll() {
    long rows = 0;
    for (FragmentMetadata fragment : request.fragments()) {
      rows +=
          request.deletedToo()
              ? RowCounts.physicalRows(request.source(), fragment)
              : RowCounts.liveRows(request.source(), fragment);
    }
    return rows;
  }

  private long countMatching() {
    Selection nothing = Selection.ALL.and(List.of());
    ScanRequest counted =
        request
            .selection(nothing)
            .orderings(List.of())
            .window(new Window(0, request.window().end()));
    return count(counted);
  }

  private long count(ScanRequest counted) {
    long rows = 0;
    boolean whole = counted.deletedToo() || counted.nearest() != null;
    BatchNode plan = whole ? Planner.plan(counted) : Planner.count(counted);
    try (ScanRun run = new ScanRun(plan, listener)) {
      for (ArrayBatch batch = run.next(); batch != null; batch = run.next()) {
        rows += batch.rows();
        batch.close();
      }
    }
    return rows;
  }

  /**
   * How the scan would be carried out: a line for each step, below it and indented the steps that
   * it takes rows from. The text is for people and may change.
   */
  public String explain() {
    return PlanText.explain(Planner.plan(request));
  }

  /** Carries out the scan, throws its rows away and says what each step did. */
  public ScanMetrics analyze() {
    try (ScanRun run = run()) {
      for (ArrayBatch batch = run.next(); batch != null; batch = run.next()) {
        batch.close();
      }
      return run.metrics();
    }
  }
}
