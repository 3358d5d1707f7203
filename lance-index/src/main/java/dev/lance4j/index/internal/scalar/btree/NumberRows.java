package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.index.internal.segment.SegmentInput;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Rows of values of up to 64 bits in order, sorted and merged as numbers. */
final class NumberRows implements ArrayBatchReader.Source {
  private final MergedNumbers merged;
  private final NumberSorter sorter;
  private final NumberType type;
  private final BufferAllocator allocator;
  private final long[] keys = new long[BTreeBuild.BATCH_ROWS];
  private final long[] rows = new long[BTreeBuild.BATCH_ROWS];

  private NumberRows(
      MergedNumbers merged, NumberSorter sorter, NumberType type, BufferAllocator allocator) {
    this.merged = merged;
    this.sorter = sorter;
    this.type = type;
    this.allocator = allocator;
  }

  /**
   * All rows in order.
   *
   * @param stored rows that are in order; closed with this
   * @param input has the other rows
   */
  static NumberRows of(List<ArrayBatchReader.Source> stored, NumberType type, SegmentInput input) {
    NumberSorter sorter = new NumberSorter(type, input.memory());
    boolean complete = false;
    try {
      ArrayBatchReader.Source source = input.rows();
      for (ArrayBatch batch = source.next(); batch != null; batch = source.next()) {
        try (ArrayBatch each = batch) {
          sorter.add(each);
        }
      }
      List<NumberRun> runs = new ArrayList<>();
      stored.forEach(each -> runs.add(new StoredRun(each, type)));
      runs.addAll(sorter.finish());
      complete = true;
      return new NumberRows(new MergedNumbers(runs), sorter, type, input.allocator());
    } finally {
      if (!complete) {
        sorter.close();
      }
    }
  }

  @Override
  public ArrayBatch next() {
    int count = merged.next(keys, rows);
    if (count == 0) {
      return null;
    }
    boolean isNull = merged.isNull();
    OwnedBuffers owned = new OwnedBuffers(allocator);
    boolean complete = false;
    try {
      ArrowBuf values = owned.zeros(type.bytes(count));
      if (!isNull) {
        type.write(keys, count, values);
      }
      ArrowBuf validity = isNull ? owned.zeros((count + 7L) / Byte.SIZE) : null;
      ArrowBuf ids = owned.allocate((long) count * Long.BYTES);
      Longs.write(rows, count, ids);
      complete = true;
      return new ArrayBatch(
          count,
          List.of(
              new ArrayData(count, isNull ? count : 0, new ArrowBuf[] {validity, values}),
              new ArrayData(count, 0, new ArrowBuf[] {null, ids})));
    } finally {
      if (!complete) {
        owned.close();
      }
    }
  }

  @Override
  public void close() {
    try (sorter) {
      merged.close();
    }
  }
}
