package dev.lance4j.format.internal.sort;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.RowGather;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The first rows in order. Keeps no more rows in memory than twice as many as are wanted, and a
 * batch; rows that come after all that are wanted are thrown away as they arrive. If that is more
 * than a budget of memory allows, all rows that are left are sorted with the help of files.
 */
public final class TopRows implements ArrayBatchReader.Source {
  private static final int SLACK = 8192;

  private final ArrayBatchReader.Source input;
  private final Schema schema;
  private final List<Field> fields;
  private final List<KeyColumn> keys;
  private final int wanted;
  private final int batchRows;
  private final SortedRows.Memory memory;
  private final BufferAllocator allocator;
  private final LongAdder spilledBytes;
  private SortBuffer kept;
  private SortBuffer bound;
  private SortedRows overflow;
  private int given = -1;

  /**
   * @param input closed with this source
   * @param schema of the batches
   * @param wanted how many of the first rows to give at least, if there are as many
   * @param batchRows the most rows of a batch
   * @param spilledBytes counts what is written to files
   */
  public TopRows(
      ArrayBatchReader.Source input,
      Schema schema,
      List<KeyColumn> keys,
      int wanted,
      int batchRows,
      SortedRows.Memory memory,
      BufferAllocator allocator,
      LongAdder spilledBytes) {
    this.input = input;
    this.schema = schema;
    this.fields = schema.getFields();
    this.keys = keys;
    this.wanted = wanted;
    this.batchRows = batchRows;
    this.memory = memory;
    this.allocator = allocator;
    this.spilledBytes = spilledBytes;
    this.kept = newBuffer();
  }

  private SortBuffer newBuffer() {
    return new SortBuffer(fields, keys, allocator);
  }

  @Override
  public ArrayBatch next() {
    if (given < 0) {
      consume();
      given = 0;
    }
    if (overflow != null) {
      return overflow.next();
    }
    int count = Math.min(batchRows, Math.min(wanted, kept.rows()) - given);
    if (count <= 0) {
      return null;
    }
    ArrayBatch batch = kept.sorted(given, count);
    given += count;
    return batch;
  }

  private void consume() {
    for (ArrayBatch batch = input.next(); batch != null; batch = input.next()) {
      if (bound == null) {
        kept.add(batch);
      } else {
        addWithinBound(batch);
      }
      boolean full = kept.isFull(memory.bytes());
      if (kept.rows() >= 2L * wanted + SLACK || (full && kept.rows() > wanted)) {
        shrink();
      }
      if (full && kept.isFull(memory.bytes())) {
        overflow =
            new SortedRows(new Rest(), schema, keys, batchRows, memory, allocator, spilledBytes);
        return;
      }
    }
  }

  /** Adds the rows that come before the last one wanted so far. */
  private void addWithinBound(ArrayBatch batch) {
    try (batch) {
      SortKeys candidates = new SortKeys(fields, keys);
      candidates.add(batch);
      int[] rows = new int[batch.rows()];
      int n = 0;
      for (int row = 0; row < batch.rows(); row++) {
        if (candidates.compare(row, bound.keys(), 0) < 0) {
          rows[n++] = row;
        }
      }
      if (n > 0) {
        kept.add(RowGather.gather(fields, batch, Arrays.copyOf(rows, n), allocator));
      }
    }
  }

  /** Throws away all rows but those that are wanted so far. */
  private void shrink() {
    SortBuffer smaller = newBuffer();
    SortBuffer last = newBuffer();
    boolean complete = false;
    try {
      smaller.add(kept.sorted(0, wanted));
      last.add(kept.sorted(wanted - 1, 1));
      complete = true;
    } finally {
      if (!complete) {
        smaller.close();
        last.close();
      }
    }
    close(kept);
    close(bound);
    kept = smaller;
    bound = last;
  }

  private static void close(SortBuffer buffer) {
    if (buffer != null) {
      buffer.close();
    }
  }

  @Override
  public void close() {
    try (input) {
      kept.close();
      close(bound);
      if (overflow != null) {
        overflow.close();
      }
    }
  }

  /** The rows that are kept, then those that have not arrived yet. */
  private final class Rest implements ArrayBatchReader.Source {
    private int taken;

    @Override
    public ArrayBatch next() {
      int count = Math.min(batchRows, kept.rows() - taken);
      if (count == 0) {
        kept.close();
        return input.next();
      }
      ArrayBatch batch = kept.sorted(taken, count);
      taken += count;
      return batch;
    }

    @Override
    public void close() {
      input.close();
    }
  }
}
