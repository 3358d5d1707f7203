package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.sort.SortedRows;
import dev.lance4j.format.store.ObjectWriter;
import dev.lance4j.format.store.TemporaryFolder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Sorts rows by keys that are numbers: in blocks, which are merged at the end. Blocks that exceed
 * the memory go, merged, into files. For use by one thread.
 */
final class NumberSorter implements AutoCloseable {
  private static final int MAX_BLOCK_ROWS = 1 << 20;
  private static final int MIN_BLOCK_ROWS = 1 << 12;
  private static final int FIRST_ROWS = 1 << 13;
  private static final int MAX_FILES = 64;
  private static final int ROW_BYTES = 2 * Long.BYTES;

  private final NumberType type;
  private final SortedRows.Memory memory;
  private final int blockRows;
  private final List<MemoryRun> blocks = new ArrayList<>();
  private final List<String> files = new ArrayList<>();
  private long heldRows;
  private TemporaryFolder folder;
  private int filesWritten;
  private long[] keys;
  private long[] rows;
  private int count;
  private long[] nulls;
  private int nullCount;

  NumberSorter(NumberType type, SortedRows.Memory memory) {
    this.type = type;
    this.memory = memory;
    // Sorting takes a block's memory once more.
    long fitting = memory.bytes() / (8L * ROW_BYTES);
    this.blockRows = (int) Math.max(MIN_BLOCK_ROWS, Math.min(MAX_BLOCK_ROWS, fitting));
    startBlock();
  }

  private void startBlock() {
    int first = Math.min(FIRST_ROWS, blockRows);
    keys = new long[first];
    rows = new long[first];
    nulls = new long[0];
    count = 0;
    nullCount = 0;
  }

  /** Adds rows: values and row numbers, which stay the caller's. */
  void add(ArrayBatch batch) {
    int from = 0;
    while (from < batch.rows()) {
      int room = blockRows - count - nullCount;
      int to = Math.min(batch.rows(), from + room);
      add(batch, from, to);
      if (count + nullCount == blockRows) {
        finishBlock();
      }
      from = to;
    }
  }

  private void add(ArrayBatch batch, int from, int to) {
    ArrayData values = batch.arrays().get(0);
    if (count + to - from > keys.length) {
      int capacity = Math.min(blockRows, Math.max(2 * keys.length, count + to - from));
      keys = Arrays.copyOf(keys, capacity);
      rows = Arrays.copyOf(rows, capacity);
    }
    type.read(values, from, to, keys, count);
    Longs.read(batch.arrays().get(1).buffer(1), from, rows, count, to - from);
    if (values.nullCount() == 0) {
      count += to - from;
    } else {
      separateNulls(values, from, to);
    }
  }

  /** Takes the rows without a value out of those that were added last. */
  private void separateNulls(ArrayData values, int from, int to) {
    int start = count;
    if (nullCount + to - from > nulls.length) {
      nulls = Arrays.copyOf(nulls, Math.max(2 * nulls.length, nullCount + to - from));
    }
    for (int row = from; row < to; row++) {
      int at = start + row - from;
      if (values.isValid(row)) {
        keys[count] = keys[at];
        rows[count++] = rows[at];
      } else {
        nulls[nullCount++] = rows[at];
      }
    }
  }

  private void finishBlock() {
    PairSort.sort(keys, rows, count);
    blocks.add(new MemoryRun(nulls, nullCount, keys, rows, count));
    heldRows += count + nullCount;
    startBlock();
    if ((heldRows + 2L * blockRows) * ROW_BYTES > memory.bytes()) {
      spill(new ArrayList<>(blocks));
      blocks.clear();
      heldRows = 0;
      if (files.size() == MAX_FILES) {
        joinFiles();
      }
    }
  }

  /** Merges runs into a file. */
  private void spill(List<? extends NumberRun> runs) {
    if (folder == null) {
      folder = TemporaryFolder.create(memory.spillFolder());
    }
    String name = "run-" + filesWritten++;
    try (MergedNumbers merged = new MergedNumbers(runs);
        ObjectWriter file = folder.create(name)) {
      SpilledRun.write(merged, file);
      file.commit();
    }
    files.add(name);
  }

  private void joinFiles() {
    List<String> old = List.copyOf(files);
    files.clear();
    spill(open(old));
    old.forEach(folder::delete);
  }

  private List<NumberRun> open(List<String> names) {
    List<NumberRun> runs = new ArrayList<>();
    boolean complete = false;
    try {
      for (String name : names) {
        runs.add(new SpilledRun(folder.open(name)));
      }
      complete = true;
      return runs;
    } finally {
      if (!complete) {
        runs.forEach(NumberRun::close);
      }
    }
  }

  /** The rows that were added as runs, to be closed before this. Nothing can be added after it. */
  List<NumberRun> finish() {
    if (count + nullCount > 0) {
      finishBlock();
    }
    List<NumberRun> runs = open(files);
    runs.addAll(blocks);
    return runs;
  }

  @Override
  public void close() {
    if (folder != null) {
      folder.close();
      folder = null;
    }
  }
}
