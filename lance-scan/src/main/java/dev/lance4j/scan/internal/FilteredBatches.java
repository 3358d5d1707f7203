package dev.lance4j.scan.internal;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayGather;
import dev.lance4j.format.internal.json.MalformedJsonbException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.expr.RowFilter;
import dev.lance4j.table.FragmentMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The rows of a scan for which a condition is true. The columns of the condition are read first; of
 * the batches in which no row remains nothing else is read.
 */
public final class FilteredBatches implements ArrayBatchReader.Source {
  private final Conditions conditions;
  private final ScanBatches rows;
  private final List<Field> fields;
  private final BufferAllocator allocator;
  private long toSkip;
  private long left;

  /**
   * @param fragments those to scan, in order
   * @param offset rows that remain to pass over first
   * @param limit the most rows to give
   */
  public FilteredBatches(
      Scan.Source source,
      ScanProjection projection,
      Expression condition,
      List<FragmentMetadata> fragments,
      long offset,
      long limit,
      int batchSize) {
    this.conditions = new Conditions(source, condition, fragments, batchSize);
    this.rows = new ScanBatches(source, projection, fragments, 0, Long.MAX_VALUE, batchSize);
    this.fields = projection.schema().getFields();
    this.allocator = source.allocator();
    this.toSkip = offset;
    this.left = limit;
  }

  /**
   * Binds a condition to the columns of a table, virtual ones included.
   *
   * @throws dev.lance4j.format.InvalidInputException if it does not fit them
   */
  public static RowFilter bind(Expression condition, Scan.Source source) {
    return RowFilter.of(
        condition, ScanProjection.allWithVirtual(source.version().manifest().schema()));
  }

  /** The columns that a condition uses, batch by batch. */
  private static final class Conditions implements AutoCloseable {
    private final Scan.Source source;
    private final RowFilter filter;
    private final ScanProjection used;
    private final ScanBatches batches;
    private final ArrayBatchReader reader;

    Conditions(
        Scan.Source source, Expression condition, List<FragmentMetadata> fragments, int batchSize) {
      this.source = source;
      this.filter = bind(condition, source);
      List<String> names = filter.columns().stream().map(path -> path.get(0)).distinct().toList();
      this.used = ScanProjection.of(source.version().manifest().schema(), names).asStored();
      this.batches = new ScanBatches(source, used, fragments, 0, Long.MAX_VALUE, batchSize);
      this.reader = new ArrayBatchReader(source.allocator(), used.schema(), batches);
    }

    boolean next() throws IOException {
      return reader.loadNextBatch();
    }

    int rows() throws IOException {
      return reader.getVectorSchemaRoot().getRowCount();
    }

    /** The rows of the batch for which the condition is true. */
    int[] select() throws IOException {
      try {
        return filter.select(reader.getVectorSchemaRoot(), reader);
      } catch (MalformedJsonbException e) {
        for (LanceField field : used.stored().fields()) {
          if (JsonColumn.isJson(field)) {
            throw JsonColumn.corrupt(source, batches.fragment(), field, e);
          }
        }
        throw e;
      }
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }

  /** The number of rows for which a condition is true, after offset and limit. */
  public static long count(
      Scan.Source source,
      Expression condition,
      List<FragmentMetadata> fragments,
      long offset,
      long limit,
      int batchSize) {
    long count = 0;
    try (Conditions conditions = new Conditions(source, condition, fragments, batchSize)) {
      while (count - offset < limit && conditions.next()) {
        count += conditions.select().length;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Math.max(0, Math.min(count - offset, limit));
  }

  @Override
  public ArrayBatch next() {
    try {
      while (left > 0 && conditions.next()) {
        int batchRows = conditions.rows();
        int[] chosen = trim(conditions.select());
        if (chosen.length == 0) {
          rows.skip(batchRows);
        } else {
          return gather(chosen, batchRows);
        }
      }
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The chosen rows that offset and limit leave. */
  private int[] trim(int[] chosen) {
    int from = (int) Math.min(toSkip, chosen.length);
    toSkip -= from;
    int to = (int) Math.min(chosen.length, from + left);
    left -= to - from;
    return Arrays.copyOfRange(chosen, from, to);
  }

  private ArrayBatch gather(int[] chosen, int batchRows) {
    ArrayBatch batch = rows.next();
    if (chosen.length == batchRows) {
      return batch;
    }
    List<ArrayData> gathered = new ArrayList<>(fields.size());
    boolean complete = false;
    try (batch) {
      for (int i = 0; i < fields.size(); i++) {
        gathered.add(ArrayGather.gather(fields.get(i), batch.arrays().get(i), chosen, allocator));
      }
      complete = true;
      return new ArrayBatch(chosen.length, gathered);
    } finally {
      if (!complete) {
        gathered.forEach(ArrayData::close);
      }
    }
  }

  @Override
  public void close() {
    try (rows) {
      conditions.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
