package dev.lance4j.format.internal.data;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Picks rows of batches. */
public final class RowGather {
  private RowGather() {}

  /**
   * Some rows of one batch.
   *
   * @param batch stays the caller's
   * @param rows their positions, in any order, repeated where they are
   */
  public static ArrayBatch gather(
      List<Field> fields, ArrayBatch batch, int[] rows, BufferAllocator allocator) {
    List<ArrayData> gathered = new ArrayList<>(fields.size());
    boolean complete = false;
    try {
      for (int i = 0; i < fields.size(); i++) {
        gathered.add(ArrayGather.gather(fields.get(i), batch.arrays().get(i), rows, allocator));
      }
      complete = true;
      return new ArrayBatch(rows.length, gathered);
    } finally {
      if (!complete) {
        gathered.forEach(ArrayData::close);
      }
    }
  }

  /** Neighbouring rows of one batch, which stays the caller's. */
  public static ArrayBatch slice(
      List<Field> fields, ArrayBatch batch, int from, int count, BufferAllocator allocator) {
    int[] rows = new int[count];
    for (int i = 0; i < count; i++) {
      rows[i] = from + i;
    }
    return gather(fields, batch, rows, allocator);
  }

  /**
   * Rows of several batches.
   *
   * @param batches stay the caller's
   * @param batchOf the batch of each row
   * @param rowOf its position in the batch
   */
  public static ArrayBatch gather(
      List<Field> fields,
      List<ArrayBatch> batches,
      int[] batchOf,
      int[] rowOf,
      BufferAllocator allocator) {
    if (batches.size() == 1) {
      return gather(fields, batches.get(0), rowOf, allocator);
    }
    // Each batch gives its rows once; then they are put into order.
    int[] counts = new int[batches.size()];
    for (int batch : batchOf) {
      counts[batch]++;
    }
    int[][] wanted = new int[batches.size()][];
    int[] starts = new int[batches.size()];
    for (int i = 0, start = 0; i < counts.length; start += counts[i], i++) {
      wanted[i] = new int[counts[i]];
      starts[i] = start;
    }
    int[] order = new int[rowOf.length];
    int[] next = new int[batches.size()];
    for (int i = 0; i < rowOf.length; i++) {
      int batch = batchOf[i];
      order[i] = starts[batch] + next[batch];
      wanted[batch][next[batch]++] = rowOf[i];
    }
    List<ArrayBatch> parts = new ArrayList<>();
    boolean complete = false;
    try {
      for (int i = 0; i < wanted.length; i++) {
        if (wanted[i].length > 0) {
          parts.add(gather(fields, batches.get(i), wanted[i], allocator));
        }
      }
      complete = true;
    } finally {
      if (!complete) {
        parts.forEach(ArrayBatch::close);
      }
    }
    try (ArrayBatch joined = concat(fields, parts, allocator)) {
      return gather(fields, joined, order, allocator);
    }
  }

  /**
   * All rows of some batches.
   *
   * @param batches at least one; closed by this call, whatever happens
   */
  public static ArrayBatch concat(
      List<Field> fields, List<ArrayBatch> batches, BufferAllocator allocator) {
    int rows = batches.stream().mapToInt(ArrayBatch::rows).reduce(0, Math::addExact);
    List<ArrayData> joined = new ArrayList<>(fields.size());
    int column = 0;
    try {
      for (; column < fields.size(); column++) {
        joined.add(ArrayConcat.concat(fields.get(column), column(batches, column), allocator));
      }
      return new ArrayBatch(rows, joined);
    } catch (RuntimeException | Error e) {
      joined.forEach(ArrayData::close);
      // The column whose joining failed is closed already.
      for (int rest = column + 1; rest < fields.size(); rest++) {
        column(batches, rest).forEach(ArrayData::close);
      }
      throw e;
    }
  }

  private static List<ArrayData> column(List<ArrayBatch> batches, int index) {
    return batches.stream().map(batch -> batch.arrays().get(index)).toList();
  }
}
