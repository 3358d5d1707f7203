package dev.lance4j.scan.internal;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.Session;
import dev.lance4j.table.TableVersion;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** The batches of a scan, fragment by fragment in the order of the manifest. */
public final class ScanBatches implements ArrayBatchReader.Source {
  private final TableVersion version;
  private final Session session;
  private final ScanProjection projection;
  private final Iterator<FragmentMetadata> fragments;
  private final int batchSize;
  private final BufferAllocator allocator;
  private long toSkip;
  private long left;
  private long passed;
  private FragmentCursor current;

  /**
   * @param fragments those to scan, in order
   * @param offset live rows to pass over first
   * @param limit the most rows to give
   */
  public ScanBatches(
      TableVersion version,
      Session session,
      ScanProjection projection,
      List<FragmentMetadata> fragments,
      long offset,
      long limit,
      int batchSize,
      BufferAllocator allocator) {
    this.version = version;
    this.session = session;
    this.projection = projection;
    this.fragments = fragments.iterator();
    this.toSkip = offset;
    this.left = limit;
    this.batchSize = batchSize;
    this.allocator = allocator;
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
        return new ArrayBatch((int) rows, current.read(rows, allocator));
      }
      passed += current.liveRows();
      close();
    }
    return null;
  }

  private void open(FragmentMetadata fragment) {
    FragmentReader reader = FragmentReader.open(version, fragment, projection.stored(), session);
    current = new FragmentCursor(reader, projection, passed);
  }

  @Override
  public void close() {
    if (current != null) {
      current.close();
      current = null;
    }
  }
}
