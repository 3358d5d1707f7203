package dev.lance4j.format.internal.sort;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.store.ObjectWriter;
import dev.lance4j.format.store.TemporaryFolder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * All rows in order. What exceeds a budget of memory goes, sorted, into files that are merged at
 * the end; the files are removed when this is closed.
 */
public final class SortedRows implements ArrayBatchReader.Source {
  private static final int MAX_MERGED = 32;
  private static final long MIN_BATCH_BYTES = 64 << 10;

  private final ArrayBatchReader.Source input;
  private final Schema schema;
  private final List<KeyColumn> keys;
  private final int batchRows;
  private final Memory memory;
  private final BufferAllocator allocator;
  private final LongAdder spilledBytes;
  private final Deque<String> runs = new ArrayDeque<>();
  private SortBuffer buffer;
  private TemporaryFolder folder;
  private MergedRows merged;
  private int given = -1;
  private int runsWritten;
  private int runBatchRows;

  /**
   * How much memory to use.
   *
   * @param bytes for rows; a batch may come on top
   * @param spillFolder where to put files; null for the system's place for temporary ones
   */
  public record Memory(long bytes, Path spillFolder) {}

  /**
   * @param input closed with this source
   * @param schema of the batches
   * @param batchRows the most rows of a batch
   * @param spilledBytes counts what is written to files
   */
  public SortedRows(
      ArrayBatchReader.Source input,
      Schema schema,
      List<KeyColumn> keys,
      int batchRows,
      Memory memory,
      BufferAllocator allocator,
      LongAdder spilledBytes) {
    this.input = input;
    this.schema = schema;
    this.keys = keys;
    this.batchRows = batchRows;
    this.runBatchRows = batchRows;
    this.memory = memory;
    this.allocator = allocator;
    this.spilledBytes = spilledBytes;
    this.buffer = newBuffer();
  }

  private SortBuffer newBuffer() {
    return new SortBuffer(schema.getFields(), keys, allocator);
  }

  @Override
  public ArrayBatch next() {
    if (given < 0) {
      consume();
      given = 0;
    }
    if (merged != null) {
      return merged.next();
    }
    int count = Math.min(batchRows, buffer.rows() - given);
    if (count <= 0) {
      return null;
    }
    ArrayBatch batch = buffer.sorted(given, count);
    given += count;
    return batch;
  }

  private void consume() {
    for (ArrayBatch batch = input.next(); batch != null; batch = input.next()) {
      buffer.add(batch);
      if (buffer.isFull(memory.bytes())) {
        spill();
      }
    }
    if (!runs.isEmpty()) {
      spill();
      mergeEarlyRuns();
      merged = merge(new ArrayList<>(runs), batchRows);
    }
  }

  /** Writes the rows in memory to a file, sorted. */
  private void spill() {
    if (buffer.rows() == 0) {
      return;
    }
    int rows = spillRows(buffer);
    runBatchRows = Math.min(runBatchRows, rows);
    try (ObjectWriter file = newRun()) {
      for (int from = 0; from < buffer.rows(); from += rows) {
        int count = Math.min(rows, buffer.rows() - from);
        SortedRun.write(buffer.sorted(from, count), schema, file, allocator);
      }
      commit(file);
    }
    buffer.close();
    buffer = newBuffer();
  }

  /** How many rows to write at once: so many that a batch of each run fits into memory. */
  private int spillRows(SortBuffer rows) {
    long bytes = Math.max(MIN_BATCH_BYTES, memory.bytes() / (2 * MAX_MERGED));
    long width = Math.max(1, rows.memoryBytes() / rows.rows());
    return (int) Math.max(1, Math.min(bytes / width, batchRows));
  }

  private ObjectWriter newRun() {
    if (folder == null) {
      folder = TemporaryFolder.create(memory.spillFolder());
    }
    String name = "run-" + runsWritten++ + ".arrows";
    runs.addLast(name);
    return folder.create(name);
  }

  private void commit(ObjectWriter file) {
    spilledBytes.add(file.position());
    file.commit();
  }

  /** Merges runs into longer ones until all that are left can be merged at once. */
  private void mergeEarlyRuns() {
    while (runs.size() > MAX_MERGED) {
      Deque<String> round = new ArrayDeque<>(runs);
      runs.clear();
      while (!round.isEmpty()) {
        List<String> some = new ArrayList<>();
        while (some.size() < MAX_MERGED && !round.isEmpty()) {
          some.add(round.removeFirst());
        }
        mergeIntoOne(some);
      }
    }
  }

  private void mergeIntoOne(List<String> names) {
    if (names.size() == 1) {
      runs.addLast(names.get(0));
      return;
    }
    try (MergedRows some = merge(names, runBatchRows);
        ObjectWriter file = newRun()) {
      for (ArrayBatch batch = some.next(); batch != null; batch = some.next()) {
        SortedRun.write(batch, schema, file, allocator);
      }
      commit(file);
    }
    names.forEach(folder::delete);
  }

  private MergedRows merge(List<String> names, int rows) {
    List<ArrayBatchReader.Source> readers = new ArrayList<>(names.size());
    boolean complete = false;
    try {
      for (String name : names) {
        readers.add(new SortedRun.Reader(folder.open(name), allocator));
      }
      complete = true;
      return new MergedRows(readers, schema.getFields(), keys, rows, allocator);
    } finally {
      if (!complete) {
        readers.forEach(ArrayBatchReader.Source::close);
      }
    }
  }

  @Override
  public void close() {
    buffer.close();
    try {
      if (merged != null) {
        merged.close();
      }
    } finally {
      try (input) {
        if (folder != null) {
          folder.close();
          folder = null;
        }
      }
    }
  }
}
