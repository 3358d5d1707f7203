package dev.lance4j.format.internal.sort;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/** The sort keys of rows, in the order in which they were added. For use by one thread. */
final class SortKeys {
  private static final int PREFIX = Long.BYTES;

  private final int[] columns;
  private final KeyEncoder[] encoders;
  private final KeyBytes bytes = new KeyBytes();
  private int[] ends = new int[256];
  private long[] prefixes = new long[256];
  private int rows;

  SortKeys(List<Field> fields, List<KeyColumn> keys) {
    this.columns = keys.stream().mapToInt(KeyColumn::index).toArray();
    this.encoders =
        keys.stream()
            .map(key -> KeyEncoder.of(fields.get(key.index()), key.descending(), key.nullsFirst()))
            .toArray(KeyEncoder[]::new);
  }

  int rows() {
    return rows;
  }

  /** About how many bytes of memory the keys take. */
  long memoryBytes() {
    return bytes.size() + 12L * rows;
  }

  /** Adds the rows of a batch. */
  void add(ArrayBatch batch) {
    ArrayData[] arrays = new ArrayData[columns.length];
    Arrays.setAll(arrays, i -> batch.arrays().get(columns[i]));
    int total = Math.addExact(rows, batch.rows());
    if (total > ends.length) {
      int capacity = (int) Math.max(total, Math.min(ends.length * 2L, Integer.MAX_VALUE - 8));
      ends = Arrays.copyOf(ends, capacity);
      prefixes = Arrays.copyOf(prefixes, capacity);
    }
    for (int row = 0; row < batch.rows(); row++) {
      int start = bytes.size();
      for (int i = 0; i < encoders.length; i++) {
        encoders[i].append(arrays[i], row, bytes);
      }
      prefixes[rows] = prefix(bytes.array(), start, bytes.size());
      ends[rows++] = bytes.size();
    }
  }

  /** The first bytes as a number with which most comparisons are decided; missing ones are 0. */
  private static long prefix(byte[] bytes, int start, int end) {
    long prefix = 0;
    for (int i = start; i < start + PREFIX; i++) {
      prefix = prefix << 8 | (i < end ? bytes[i] & 0xFF : 0);
    }
    return prefix;
  }

  private int start(int row) {
    return row == 0 ? 0 : ends[row - 1];
  }

  /** The order of a row and one of perhaps other keys: negative if this one comes first. */
  int compare(int row, SortKeys others, int other) {
    int order = Long.compareUnsigned(prefixes[row], others.prefixes[other]);
    return order != 0
        ? order
        : Arrays.compareUnsigned(
            bytes.array(),
            start(row),
            ends[row],
            others.bytes.array(),
            others.start(other),
            others.ends[other]);
  }

  /** The rows in order; those with equal keys as they were added. */
  int[] sort() {
    int[] order = new int[rows];
    for (int i = 0; i < rows; i++) {
      order[i] = i;
    }
    sort(order.clone(), order, 0, rows);
    return order;
  }

  /** Merges the sorted halves of {@code from} into {@code into}; both hold the same rows before. */
  private void sort(int[] from, int[] into, int start, int end) {
    if (end - start < 8) {
      insertionSort(into, start, end);
      return;
    }
    int middle = (start + end) >>> 1;
    sort(into, from, start, middle);
    sort(into, from, middle, end);
    int left = start;
    int right = middle;
    for (int i = start; i < end; i++) {
      boolean takeLeft =
          left < middle && (right == end || compare(from[left], this, from[right]) <= 0);
      into[i] = takeLeft ? from[left++] : from[right++];
    }
  }

  private void insertionSort(int[] order, int start, int end) {
    for (int i = start + 1; i < end; i++) {
      int row = order[i];
      int at = i;
      while (at > start && compare(order[at - 1], this, row) > 0) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = row;
    }
  }
}
