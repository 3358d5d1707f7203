package dev.lance4j.scan;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayConcat;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayGather;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.scan.internal.FragmentPositions;
import dev.lance4j.scan.internal.FragmentRows;
import dev.lance4j.scan.internal.ScanProjection;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.StableRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;

/** Reads single rows, wherever they are. */
public final class Take {
  private final Scan.Source source;
  private final ScanProjection projection;
  private final FragmentPositions positions;
  private final BufferAllocator allocator;

  /**
   * @param columns to read; all when none are named
   */
  public Take(Scan.Source source, String... columns) {
    this.source = source;
    this.positions = new FragmentPositions(source);
    this.allocator = source.allocator();
    this.projection =
        columns.length == 0
            ? ScanProjection.all(source.version().manifest().schema())
            : ScanProjection.of(source.version().manifest().schema(), Arrays.asList(columns));
  }

  /**
   * Rows by their position among the live rows of the table, in the order asked for, repeated where
   * they are.
   *
   * @throws InvalidInputException if a position is not in the table
   */
  public ArrowReader byPosition(long[] positions) {
    long[] sorted = distinct(positions);
    List<Part> parts = new ArrayList<>();
    long first = 0;
    int next = 0;
    for (FragmentMetadata fragment : source.version().manifest().fragments()) {
      if (next == sorted.length) {
        break;
      }
      long rows = RowCounts.liveRows(source, fragment);
      int end = next;
      while (end < sorted.length && sorted[end] < first + rows) {
        end++;
      }
      if (end > next) {
        long[] live = new long[end - next];
        for (int i = 0; i < live.length; i++) {
          live[i] = sorted[next + i] - first;
        }
        parts.add(new Part(fragment, live, true));
      }
      next = end;
      first += rows;
    }
    if (next < sorted.length || (sorted.length > 0 && sorted[0] < 0)) {
      long wrong = sorted[0] < 0 ? sorted[0] : sorted[next];
      throw new InvalidInputException(
          "There is no row at position " + wrong + " of " + source.version());
    }
    return read(parts, sorted, positions);
  }

  /**
   * Rows by their id, in the order asked for, repeated where they are. Ids of rows that are deleted
   * or never were are left out.
   */
  public ArrowReader byRowId(long[] rowIds) {
    if (source.version().manifest().hasStableRowIds()) {
      StableRows rows = new StableRows(source.version(), source.session());
      return byLiveAddress(rows.rowAddresses(rowIds));
    }
    long[] live = live(distinct(rowIds));
    return byLiveAddress(
        Arrays.stream(rowIds)
            .map(row -> Arrays.binarySearch(live, row) >= 0 ? row : RowAddress.NONE)
            .toArray());
  }

  /** Those of some addresses that are of live rows. */
  private long[] live(long[] sorted) {
    long[] live = new long[sorted.length];
    int n = 0;
    for (int start = 0; start < sorted.length; ) {
      int end = endOfFragment(sorted, start);
      Optional<FragmentMetadata> fragment = fragment(sorted[start]);
      if (fragment.isPresent()) {
        try (FragmentReader reader = open(fragment.get())) {
          for (int i = start; i < end; i++) {
            long offset = RowAddress.offset(sorted[i]);
            if (offset < reader.physicalRows() && !reader.deletions().contains(offset)) {
              live[n++] = sorted[i];
            }
          }
        }
      }
      start = end;
    }
    return Arrays.copyOf(live, n);
  }

  private ArrowReader byLiveAddress(long[] rowAddresses) {
    long[] wanted =
        Arrays.stream(rowAddresses).filter(address -> address != RowAddress.NONE).toArray();
    long[] sorted = distinct(wanted);
    List<Part> parts = new ArrayList<>();
    for (int start = 0; start < sorted.length; ) {
      int end = endOfFragment(sorted, start);
      long[] offsets = new long[end - start];
      for (int i = 0; i < offsets.length; i++) {
        offsets[i] = RowAddress.offset(sorted[start + i]);
      }
      parts.add(new Part(fragment(sorted[start]).orElseThrow(), offsets, false));
      start = end;
    }
    return read(parts, sorted, wanted);
  }

  /** The end of the sorted addresses that are in the same fragment as the first one. */
  private static int endOfFragment(long[] sorted, int start) {
    int end = start + 1;
    long fragmentId = RowAddress.fragmentId(sorted[start]);
    while (end < sorted.length && RowAddress.fragmentId(sorted[end]) == fragmentId) {
      end++;
    }
    return end;
  }

  private Optional<FragmentMetadata> fragment(long rowAddress) {
    return source.version().manifest().fragment(RowAddress.fragmentId(rowAddress));
  }

  private FragmentReader open(FragmentMetadata fragment) {
    return FragmentReader.open(source.version(), fragment, projection.stored(), source.session());
  }

  private static long[] distinct(long[] values) {
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

  /**
   * Rows of one fragment.
   *
   * @param rows ascending: positions among its live rows, or offsets
   * @param live which of the two
   */
  private record Part(FragmentMetadata fragment, long[] rows, boolean live) {}

  private ArrowReader read(List<Part> parts, long[] sorted, long[] wanted) {
    ArrayBatch batch =
        wanted.length == 0 ? null : new ArrayBatch(wanted.length, gather(parts, sorted, wanted));
    return new ArrayBatchReader(allocator, projection.schema(), new OneBatch(batch));
  }

  private List<ArrayData> gather(List<Part> parts, long[] sorted, long[] wanted) {
    List<ArrayData> arrays = concat(parts);
    if (Arrays.equals(sorted, wanted)) {
      return arrays;
    }
    int[] order = new int[wanted.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = Arrays.binarySearch(sorted, wanted[i]);
    }
    List<ArrayData> gathered = new ArrayList<>(arrays.size());
    List<Field> fields = projection.schema().getFields();
    try {
      for (int i = 0; i < arrays.size(); i++) {
        gathered.add(ArrayGather.gather(fields.get(i), arrays.get(i), order, allocator));
      }
      return gathered;
    } catch (RuntimeException | Error e) {
      gathered.forEach(ArrayData::close);
      throw e;
    } finally {
      arrays.forEach(ArrayData::close);
    }
  }

  private List<ArrayData> concat(List<Part> parts) {
    List<Field> fields = projection.schema().getFields();
    List<List<ArrayData>> columns = new ArrayList<>(fields.size());
    fields.forEach(field -> columns.add(new ArrayList<>(parts.size())));
    int done = 0;
    List<ArrayData> arrays = new ArrayList<>(fields.size());
    try {
      for (Part part : parts) {
        List<ArrayData> read = read(part);
        for (int i = 0; i < read.size(); i++) {
          columns.get(i).add(read.get(i));
        }
      }
      for (; done < fields.size(); done++) {
        arrays.add(ArrayConcat.concat(fields.get(done), columns.get(done), allocator));
      }
      return arrays;
    } catch (RuntimeException | Error e) {
      arrays.forEach(ArrayData::close);
      // The column whose joining failed is closed already.
      int first = arrays.isEmpty() && done == 0 ? 0 : done + 1;
      for (int i = first; i < columns.size(); i++) {
        columns.get(i).forEach(ArrayData::close);
      }
      throw e;
    }
  }

  private List<ArrayData> read(Part part) {
    try (FragmentReader reader = open(part.fragment())) {
      RowRanges rows = RowRanges.ofSortedRows(part.rows());
      RowRanges offsets = part.live() ? reader.toOffsets(rows) : rows;
      return projection.read(reader, new FragmentRows(source, part.fragment(), offsets, positions));
    }
  }

  /** A single batch, or none. */
  private static final class OneBatch implements ArrayBatchReader.Source {
    private ArrayBatch batch;

    OneBatch(ArrayBatch batch) {
      this.batch = batch;
    }

    @Override
    public ArrayBatch next() {
      ArrayBatch result = batch;
      batch = null;
      return result;
    }

    @Override
    public void close() {
      if (batch != null) {
        batch.close();
        batch = null;
      }
    }
  }
}
