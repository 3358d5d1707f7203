package dev.lance4j.scan.internal.sort;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.scan.internal.read.RowGather;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The first rows in order. Keeps no more rows in memory than twice as many as are wanted, and a
 * batch; rows that come after all that are wanted are thrown away as they arrive.
 */
public final class TopRows implements ArrayBatchReader.Source {
  private static final int SLACK = 8192;

  private final ArrayBatchReader.Source input;
  private final List<Field> fields;
  private final List<KeyColumn> keys;
  private final int wanted;
  private final int batchRows;
  private final BufferAllocator allocator;
  private SortBuffer kept;
  private SortBuffer bound;
  private int given = -1;

  /**
   * @param input closed with this source
   * @param fields of the batches
   * @param wanted how many rows to give at most, at least one
   * @param batchRows the most rows of a batch
   */
  public TopRows(
      ArrayBatchReader.Source input,
      List<Field> fields,
      List<KeyColumn> keys,
      int wanted,
      int batchRows,
      BufferAllocator allocator) {
    this.input = input;
    this.fields = fields;
    this.keys = keys;
    this.wanted = wanted;
    this.batchRows = batchRows;
    this.allocator = allocator;
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
      if (kept.rows() >= 2L * wanted + SLACK) {
        shrink();
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
    }
  }
}
