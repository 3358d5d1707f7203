package dev.lance4j.scan.internal;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import java.util.Iterator;
import java.util.List;

/** The batches of a scan, fragment by fragment in the order of the manifest. */
public final class ScanBatches implements ArrayBatchReader.Source {
  private final Scan.Source source;
  private final ScanProjection projection;
  private final Iterator<FragmentMetadata> fragments;
  private final int batchSize;
  private final FragmentPositions positions;
  private long toSkip;
  private long left;
  private FragmentCursor current;
  private FragmentMetadata currentFragment;

  /**
   * @param fragments those to scan, in order
   * @param offset live rows to pass over first
   * @param limit the most rows to give
   */
  public ScanBatches(
      Scan.Source source,
      ScanProjection projection,
      List<FragmentMetadata> fragments,
      long offset,
      long limit,
      int batchSize) {
    this.source = source;
    this.positions = new FragmentPositions(source);
    this.projection = projection;
    this.fragments = fragments.iterator();
    this.toSkip = offset;
    this.left = limit;
    this.batchSize = batchSize;
  }

  @Override
  public ArrayBatch next() {
    while (left > 0) {
      if (current == null) {
        if (!fragments.hasNext()) {
          return null;
        }
        open(fragments.next());
      }
      long skipped = Math.min(toSkip, current.remaining());
      current.skip(skipped);
      toSkip -= skipped;
      long rows = Math.min(Math.min(batchSize, left), current.remaining());
      if (rows > 0) {
        left -= rows;
        return new ArrayBatch((int) rows, current.read(rows));
      }
      close();
    }
    return null;
  }

  /** Passes over the next rows without reading them. */
  void skip(long rows) {
    toSkip += rows;
  }

  /** The fragment that the last batch is of. */
  FragmentMetadata fragment() {
    return currentFragment;
  }

  private void open(FragmentMetadata fragment) {
    currentFragment = fragment;
    FragmentReader reader =
        FragmentReader.open(source.version(), fragment, projection.stored(), source.session());
    current = new FragmentCursor(source, reader, projection, positions);
  }

  @Override
  public void close() {
    if (current != null) {
      current.close();
      current = null;
    }
  }
}
