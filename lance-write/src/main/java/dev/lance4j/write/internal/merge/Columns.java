package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.data.ArrayConcat;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayGather;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Arrays of several columns at once. */
final class Columns {
  private Columns() {}

  static void close(List<ArrayData> columns) {
    columns.forEach(ArrayData::close);
  }

  static long bytes(List<ArrayData> columns) {
    long bytes = 0;
    for (ArrayData column : columns) {
      bytes += column.bytes();
    }
    return bytes;
  }

  /** Some rows of each column, owned by the caller. */
  static List<ArrayData> gather(
      List<Field> fields, List<ArrayData> columns, int[] rows, BufferAllocator allocator) {
    List<ArrayData> gathered = new ArrayList<>(fields.size());
    boolean complete = false;
    try {
      for (int i = 0; i < fields.size(); i++) {
        gathered.add(ArrayGather.gather(fields.get(i), columns.get(i), rows, allocator));
      }
      complete = true;
      return gathered;
    } finally {
      if (!complete) {
        close(gathered);
      }
    }
  }

  /**
   * The rows of several batches end to end.
   *
   * @param batches at least one; each column is closed, whatever happens
   * @return owned by the caller
   */
  static List<ArrayData> concat(
      List<Field> fields, List<List<ArrayData>> batches, BufferAllocator allocator) {
    List<ArrayData> joined = new ArrayList<>(fields.size());
    int next = 0;
    boolean complete = false;
    try {
      while (next < fields.size()) {
        int column = next++;
        List<ArrayData> parts = batches.stream().map(batch -> batch.get(column)).toList();
        joined.add(ArrayConcat.concat(fields.get(column), parts, allocator));
      }
      complete = true;
      return joined;
    } finally {
      if (!complete) {
        close(joined);
        for (List<ArrayData> batch : batches) {
          close(batch.subList(next, batch.size()));
        }
      }
    }
  }

  /** Numbers from {@code start} (inclusive) to {@code end} (exclusive). */
  static int[] range(int start, int end) {
    int[] rows = new int[end - start];
    Arrays.setAll(rows, i -> start + i);
    return rows;
  }
}
