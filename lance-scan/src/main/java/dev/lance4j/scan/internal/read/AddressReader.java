package dev.lance4j.scan.internal.read;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.RowGather;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentMetadata;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Reads rows by address, in any order, repeated where they are. Each fragment is read once, its
 * rows in ascending order, so that neighbours are read together.
 */
public final class AddressReader {
  private final Scan.Source source;
  private final RowReader rows;
  private final FragmentPositions positions;
  private final boolean deletedToo;

  /**
   * @param deletedToo whether addresses may be of deleted rows
   */
  public AddressReader(Scan.Source source, RowReader rows, boolean deletedToo) {
    this.source = source;
    this.rows = rows;
    this.positions = new FragmentPositions(source);
    this.deletedToo = deletedToo;
  }

  /**
   * Rows of one fragment.
   *
   * @param offsets of the rows in the fragment
   */
  public record Part(FragmentMetadata fragment, RowRanges offsets) {}

  /**
   * The rows at the addresses.
   *
   * @param rowAddresses at least one
   * @throws InvalidInputException if there is no such fragment
   */
  public ArrayBatch read(long[] rowAddresses) {
    long[] sorted = distinct(rowAddresses);
    List<Part> parts = new ArrayList<>();
    for (int start = 0; start < sorted.length; ) {
      int end = endOfFragment(sorted, start);
      parts.add(part(sorted, start, end));
      start = end;
    }
    return read(parts, sorted, rowAddresses);
  }

  private Part part(long[] sorted, int start, int end) {
    long fragmentId = RowAddress.fragmentId(sorted[start]);
    FragmentMetadata fragment =
        source
            .version()
            .manifest()
            .fragment(fragmentId)
            .orElseThrow(
                () -> new InvalidInputException("There is no fragment with the id " + fragmentId));
    long[] offsets = new long[end - start];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = RowAddress.offset(sorted[start + i]);
    }
    return new Part(fragment, RowRanges.ofSortedRows(offsets));
  }

  /**
   * Rows that are named by keys of any kind.
   *
   * @param parts at least one; where the rows are, in the order of their keys
   * @param sorted the keys of these rows, ascending
   * @param wanted the keys in the order in which their rows are wanted, repeated where they are
   */
  public ArrayBatch read(List<Part> parts, long[] sorted, long[] wanted) {
    List<ArrayBatch> batches = new ArrayList<>(parts.size());
    boolean complete = false;
    try {
      for (Part part : parts) {
        try (ScanFragment fragment =
            ScanFragment.open(source, part.fragment(), positions, deletedToo)) {
          batches.add(rows.read(fragment, part.offsets()));
        }
      }
      complete = true;
    } finally {
      if (!complete) {
        batches.forEach(ArrayBatch::close);
      }
    }
    return arrange(batches, sorted, wanted);
  }

  private ArrayBatch arrange(List<ArrayBatch> batches, long[] sorted, long[] wanted) {
    List<Field> fields = rows.schema().getFields();
    BufferAllocator allocator = source.allocator();
    ArrayBatch joined = RowGather.concat(fields, batches, allocator);
    if (Arrays.equals(sorted, wanted)) {
      return joined;
    }
    try (joined) {
      int[] order = new int[wanted.length];
      for (int i = 0; i < order.length; i++) {
        order[i] = Arrays.binarySearch(sorted, wanted[i]);
      }
      return RowGather.gather(fields, joined, order, allocator);
    }
  }

  /** The end of the sorted addresses that are in the same fragment as the first one. */
  public static int endOfFragment(long[] sorted, int start) {
    int end = start + 1;
    long fragmentId = RowAddress.fragmentId(sorted[start]);
    while (end < sorted.length && RowAddress.fragmentId(sorted[end]) == fragmentId) {
      end++;
    }
    return end;
  }

  /** The values in ascending order, each once. */
  public static long[] distinct(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    int n = 0;
    for (int i = 0; i < sorted.length; i++) {
      if (i == 0 || sorted[i] != sorted[i - 1]) {
        sorted[n++] = sorted[i];
      }
    }
    return Arrays.copyOf(sorted, n);
  }
}
