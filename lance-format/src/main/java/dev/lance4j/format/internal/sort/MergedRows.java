package dev.lance4j.format.internal.sort;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.RowGather;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Rows that are in order, merged; of rows with equal keys those of earlier runs come first. */
public final class MergedRows implements ArrayBatchReader.Source {
  private final List<Field> fields;
  private final List<KeyColumn> keys;
  private final int batchRows;
  private final BufferAllocator allocator;
  private final List<Cursor> cursors = new ArrayList<>();
  private final PriorityQueue<Cursor> queue = new PriorityQueue<>();
  private boolean started;

  /** The next row of a run. */
  private final class Cursor implements Comparable<Cursor>, AutoCloseable {
    private final int number;
    private final ArrayBatchReader.Source run;
    private ArrayBatch batch;
    private SortKeys batchKeys;
    private int row;
    // The batch's number among those that the batch being made takes rows from, or -1.
    private int used = -1;

    Cursor(int number, ArrayBatchReader.Source run) {
      this.number = number;
      this.run = run;
    }

    /** Goes to the first row of the next batch, if there is one. The last batch is let go of. */
    boolean load() {
      batch = run.next();
      row = 0;
      used = -1;
      if (batch == null) {
        return false;
      }
      batchKeys = new SortKeys(fields, keys);
      batchKeys.add(batch);
      return true;
    }

    @Override
    public int compareTo(Cursor other) {
      int order = batchKeys.compare(row, other.batchKeys, other.row);
      return order != 0 ? order : Integer.compare(number, other.number);
    }

    @Override
    public void close() {
      try (run) {
        if (batch != null) {
          batch.close();
          batch = null;
        }
      }
    }
  }

  /**
   * @param runs closed with this source
   * @param batchRows the most rows of a batch
   */
  public MergedRows(
      List<ArrayBatchReader.Source> runs,
      List<Field> fields,
      List<KeyColumn> keys,
      int batchRows,
      BufferAllocator allocator) {
    this.fields = fields;
    this.keys = keys;
    this.batchRows = batchRows;
    this.allocator = allocator;
    runs.forEach(run -> cursors.add(new Cursor(cursors.size(), run)));
  }

  @Override
  public ArrayBatch next() {
    start();
    int[] batchOf = new int[batchRows];
    int[] rowOf = new int[batchRows];
    List<ArrayBatch> used = new ArrayList<>();
    List<ArrayBatch> finished = new ArrayList<>();
    try {
      int n = 0;
      while (n < batchRows && !queue.isEmpty()) {
        Cursor cursor = queue.poll();
        if (cursor.used < 0) {
          cursor.used = used.size();
          used.add(cursor.batch);
        }
        batchOf[n] = cursor.used;
        rowOf[n++] = cursor.row++;
        advance(cursor, finished);
      }
      cursors.forEach(cursor -> cursor.used = -1);
      return n == 0
          ? null
          : RowGather.gather(
              fields, used, Arrays.copyOf(batchOf, n), Arrays.copyOf(rowOf, n), allocator);
    } finally {
      finished.forEach(ArrayBatch::close);
    }
  }

  private void advance(Cursor cursor, List<ArrayBatch> finished) {
    if (cursor.row == cursor.batch.rows()) {
      finished.add(cursor.batch);
      cursor.batch = null;
      if (!cursor.load()) {
        return;
      }
    }
    queue.add(cursor);
  }

  private void start() {
    if (!started) {
      started = true;
      for (Cursor cursor : cursors) {
        if (cursor.load()) {
          queue.add(cursor);
        }
      }
    }
  }

  @Override
  public void close() {
    RuntimeException failure = null;
    for (Cursor cursor : cursors) {
      try {
        cursor.close();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    cursors.clear();
    queue.clear();
    if (failure != null) {
      throw failure;
    }
  }
}
