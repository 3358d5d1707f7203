package dev.lance4j.scan.internal;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.table.FragmentReader;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Goes through the live rows of one fragment. */
final class FragmentCursor implements AutoCloseable {
  private final FragmentReader fragment;
  private final ScanProjection projection;
  private final long firstPosition;
  private final long liveRows;
  private long done;

  /**
   * @param firstPosition the number of live rows in earlier fragments
   */
  FragmentCursor(FragmentReader fragment, ScanProjection projection, long firstPosition) {
    this.fragment = fragment;
    this.projection = projection;
    this.firstPosition = firstPosition;
    this.liveRows = fragment.liveRows();
  }

  long liveRows() {
    return liveRows;
  }

  long remaining() {
    return liveRows - done;
  }

  /** Passes over rows without reading them. */
  void skip(long rows) {
    done += rows;
  }

  /** The next rows, at most {@code rows} of them, which are there. */
  List<ArrayData> read(long rows, BufferAllocator allocator) {
    RowRanges offsets = fragment.toOffsets(RowRanges.of(done, done + rows));
    long first = firstPosition + done;
    List<ArrayData> arrays =
        projection.stored().fields().isEmpty() ? List.of() : fragment.read(offsets, allocator);
    done += rows;
    return projection.assemble(
        arrays, new FragmentPositions(fragment.fragment().id(), offsets, first), allocator);
  }

  @Override
  public void close() {
    fragment.close();
  }
}
