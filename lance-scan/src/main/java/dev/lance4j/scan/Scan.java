package dev.lance4j.scan;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.expr.Expressions;
import dev.lance4j.scan.internal.FilteredBatches;
import dev.lance4j.scan.internal.ScanBatches;
import dev.lance4j.scan.internal.ScanColumn;
import dev.lance4j.scan.internal.ScanProjection;
import dev.lance4j.scan.internal.expr.substrait.SubstraitFilters;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Session;
import dev.lance4j.table.TableVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A description of what to read of a version of a table. Immutable: each method returns a refined
 * copy.
 */
public final class Scan {
  /** The number of rows in a batch unless asked otherwise. */
  public static final int DEFAULT_BATCH_SIZE = 8192;

  private final Source source;
  private final ScanProjection projection;
  private final Expression condition;
  private final List<FragmentMetadata> fragments;
  private final long offset;
  private final long limit;
  private final int batchSize;

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
        source,
        ScanProjection.all(source.version().manifest().schema()),
        null,
        source.version().manifest().fragments(),
        0,
        Long.MAX_VALUE,
        DEFAULT_BATCH_SIZE);
  }

  private Scan(
      Source source,
      ScanProjection projection,
      Expression condition,
      List<FragmentMetadata> fragments,
      long offset,
      long limit,
      int batchSize) {
    this.source = source;
    this.projection = projection;
    this.condition = condition;
    this.fragments = fragments;
    this.offset = offset;
    this.limit = limit;
    this.batchSize = batchSize;
  }

  private Scan withProjection(ScanProjection columns) {
    return new Scan(source, columns, condition, fragments, offset, limit, batchSize);
  }

  /**
   * Only these columns, in this order. {@code a.b} gives only that part of {@code a}; {@code
   * _rowid}, {@code _rowaddr}, {@code _rowoffset}, {@code _row_created_at_version} and {@code
   * _row_last_updated_at_version} are columns too, unsigned 64-bit numbers. None gives batches that
   * only have a number of rows.
   *
   * @throws InvalidInputException if there is no such column; the message lists those there are
   */
  public Scan select(String... columns) {
    return withProjection(
        ScanProjection.of(source.version().manifest().schema(), Arrays.asList(columns)));
  }

  /**
   * Adds the column {@code _rowid}, an unsigned 64-bit number, at the end: the row's stable id if
   * the table has such ids, and else its address.
   */
  public Scan withRowId() {
    return withProjection(projection.with(ScanColumn.Virtual.ROW_ID));
  }

  /**
   * Adds the column {@code _rowaddr}, an unsigned 64-bit number, at the end: the fragment's id in
   * the high 32 bits, the row's offset in the fragment in the low ones.
   */
  public Scan withRowAddress() {
    return withProjection(projection.with(ScanColumn.Virtual.ROW_ADDRESS));
  }

  /**
   * Adds the columns {@code _row_created_at_version} and {@code _row_last_updated_at_version} at
   * the end: the versions of the table in which the row was inserted and in which its values
   * changed last. Both are 1 for rows of tables without stable row ids, which do not record them.
   */
  public Scan withRowVersions() {
    return withProjection(
        projection
            .with(ScanColumn.Virtual.CREATED_VERSION)
            .with(ScanColumn.Virtual.LAST_UPDATED_VERSION));
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
    Expression both = condition == null ? filter : Expressions.and(condition, filter);
    FilteredBatches.bind(both, source);
    return new Scan(source, projection, both, fragments, offset, limit, batchSize);
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
    Schema schema = source.version().manifest().schema().toArrow();
    return where(SubstraitFilters.parse(extendedExpression, schema));
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
    return withProjection(projection.withBlobBytes());
  }

  /**
   * At most this many rows.
   *
   * @throws InvalidInputException if it is negative
   */
  public Scan limit(long rows) {
    check(rows >= 0, "The limit must not be negative, but is " + rows);
    return new Scan(source, projection, condition, fragments, offset, rows, batchSize);
  }

  /**
   * Without the first rows.
   *
   * @param rows how many to pass over
   * @throws InvalidInputException if it is negative
   */
  public Scan offset(long rows) {
    check(rows >= 0, "The offset must not be negative, but is " + rows);
    return new Scan(source, projection, condition, fragments, rows, limit, batchSize);
  }

  /**
   * At most this many rows in a batch.
   *
   * @throws InvalidInputException unless it is positive
   */
  public Scan batchSize(int rows) {
    check(rows > 0, "The batch size must be positive, but is " + rows);
    return new Scan(source, projection, condition, fragments, offset, limit, rows);
  }

  /**
   * Only the rows of these fragments, in the order of the table.
   *
   * @throws InvalidInputException if there is no such fragment
   */
  public Scan fragments(long... ids) {
    Set<Long> wanted = new HashSet<>();
    for (long id : ids) {
      wanted.add(id);
    }
    List<FragmentMetadata> chosen = new ArrayList<>();
    for (FragmentMetadata fragment : source.version().manifest().fragments()) {
      if (wanted.remove(fragment.id())) {
        chosen.add(fragment);
      }
    }
    check(wanted.isEmpty(), "There are no fragments " + wanted + " in " + source.version());
    return new Scan(source, projection, condition, chosen, offset, limit, batchSize);
  }

  private static void check(boolean condition, String message) {
    if (!condition) {
      throw new InvalidInputException(message);
    }
  }

  /** The schema of the batches. */
  public Schema schema() {
    return projection.schema();
  }

  /**
   * Starts reading. Columns of JSON, which tables store in a binary form, are given as text with
   * the extension name {@code arrow.json}. The reader must be closed.
   */
  public ArrowReader open() {
    return new ArrayBatchReader(source.allocator(), schema(), batches());
  }

  private ArrayBatchReader.Source batches() {
    return condition == null
        ? new ScanBatches(source, projection, fragments, offset, limit, batchSize)
        : new FilteredBatches(source, projection, condition, fragments, offset, limit, batchSize);
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

  /** The number of rows that the scan gives. Without a condition no row is read. */
  public long count() {
    if (condition != null) {
      return FilteredBatches.count(source, condition, fragments, offset, limit, batchSize);
    }
    long live = 0;
    for (FragmentMetadata fragment : fragments) {
      live += RowCounts.liveRows(source, fragment);
    }
    return Math.max(0, Math.min(live - offset, limit));
  }
}
