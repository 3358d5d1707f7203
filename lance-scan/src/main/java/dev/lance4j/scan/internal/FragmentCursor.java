package dev.lance4j.scan.internal;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentReader;
import java.util.List;

/** Goes through the live rows of one fragment. */
final class FragmentCursor implements AutoCloseable {
  private final Scan.Source source;
  private final FragmentReader fragment;
  private final ScanProjection projection;
  private final FragmentPositions positions;
  private final long liveRows;
  private long done;

  FragmentCursor(
      Scan.Source source,
      FragmentReader fragment,
      ScanProjection projection,
      FragmentPositions positions) {
    this.source = source;
    this.fragment = fragment;
    this.projection = projection;
    this.positions = positions;
    this.liveRows = fragment.liveRows();
  }

  long remaining() {
    return liveRows - done;
  }

  /** Passes over rows without reading them. */
  void skip(long rows) {
    done += rows;
  }

  /** The next rows, at most {@code rows} of them, which are there. */
  List<ArrayData> read(long rows) {
    RowRanges offsets = fragment.toOffsets(RowRanges.of(done, done + rows));
    done += rows;
    return projection.read(
        fragment, new FragmentRows(source, fragment.fragment(), offsets, positions));
  }

  @Override
  public void close() {
    fragment.close();
  }
}
