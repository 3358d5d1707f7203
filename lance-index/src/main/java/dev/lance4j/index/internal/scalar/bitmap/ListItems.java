package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayGather;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.index.internal.segment.SegmentInput;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** The items of lists, each with the number of the list's row. For use by one thread. */
final class ListItems implements ArrayBatchReader.Source {
  private final ArrayBatchReader.Source rows;
  private final Field itemField;
  private final boolean wide;
  private final LongConsumer nulls;
  private final BufferAllocator allocator;

  /**
   * @param input whose rows stay the caller's
   * @param nulls gets the numbers of rows whose list is null
   */
  ListItems(SegmentInput input, Field itemField, LongConsumer nulls) {
    this.rows = input.rows();
    this.itemField = itemField;
    this.wide = ArrayLayout.of(input.field().toArrow()).hasLongOffsets();
    this.nulls = nulls;
    this.allocator = input.allocator();
  }

  @Override
  public ArrayBatch next() {
    try (ArrayBatch batch = rows.next()) {
      return batch == null
          ? null
          : items(batch.arrays().get(0), batch.arrays().get(1).buffer(1), batch.rows());
    }
  }

  private ArrayBatch items(ArrayData lists, ArrowBuf numbers, int count) {
    int[] positions = new int[count];
    long[] rowOf = new long[count];
    int n = 0;
    for (int row = 0; row < count; row++) {
      long number = numbers.getLong((long) row * Long.BYTES);
      if (!lists.isValid(row)) {
        nulls.accept(number);
        continue;
      }
      int start = offset(lists, row);
      int end = offset(lists, row + 1);
      if (n + (end - start) > positions.length) {
        int capacity = Math.max(n + (end - start), 2 * positions.length);
        positions = Arrays.copyOf(positions, capacity);
        rowOf = Arrays.copyOf(rowOf, capacity);
      }
      for (int item = start; item < end; item++) {
        positions[n] = item;
        rowOf[n++] = number;
      }
    }
    return batch(lists.child(0), Arrays.copyOf(positions, n), rowOf);
  }

  private int offset(ArrayData lists, int row) {
    ArrowBuf offsets = lists.buffer(1);
    return wide
        ? Math.toIntExact(offsets.getLong((long) row * Long.BYTES))
        : offsets.getInt((long) row * Integer.BYTES);
  }

  private ArrayBatch batch(ArrayData items, int[] positions, long[] rowOf) {
    ArrayData values = ArrayGather.gather(itemField, items, positions, allocator);
    boolean complete = false;
    try {
      ArrowBuf buffer = allocator.buffer(Math.max(1, (long) positions.length * Long.BYTES));
      for (int i = 0; i < positions.length; i++) {
        buffer.setLong((long) i * Long.BYTES, rowOf[i]);
      }
      complete = true;
      ArrayData numbers = new ArrayData(positions.length, 0, new ArrowBuf[] {null, buffer});
      return new ArrayBatch(positions.length, List.of(values, numbers));
    } finally {
      if (!complete) {
        values.close();
      }
    }
  }

  @Override
  public void close() {}
}
