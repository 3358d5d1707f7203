package dev.lance4j.scan.internal.plan;

import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.read.FragmentPositions;
import dev.lance4j.scan.internal.read.Morsel;
import dev.lance4j.scan.internal.read.ScanFragment;
import dev.lance4j.table.FragmentMetadata;
import java.util.Iterator;
import java.util.List;

/** Cuts fragments into morsels, in order. For use by one thread. */
final class Morsels implements AutoCloseable {
  private final Scan.Source source;
  private final Iterator<FragmentMetadata> fragments;
  private final boolean deletedToo;
  private final FragmentPositions positions;
  private long toSkip;
  private long left;
  private ScanFragment current;
  private long done;

  /**
   * @param fragments in order
   * @param deletedToo whether to include deleted rows
   * @param window which of the rows to take
   */
  Morsels(Scan.Source source, List<FragmentMetadata> fragments, boolean deletedToo, Window window) {
    this.source = source;
    this.fragments = fragments.iterator();
    this.deletedToo = deletedToo;
    this.positions = new FragmentPositions(source);
    this.toSkip = window.offset();
    this.left = window.limit();
  }

  /** The next rows, at most so many; null at the end. Must be closed. */
  Morsel next(long rows) {
    while (left > 0) {
      if (current == null) {
        if (!fragments.hasNext()) {
          return null;
        }
        current = ScanFragment.open(source, fragments.next(), positions, deletedToo);
        done = 0;
      }
      long skipped = Math.min(toSkip, current.rows() - done);
      done += skipped;
      toSkip -= skipped;
      long count = Math.min(Math.min(rows, left), current.rows() - done);
      if (count > 0) {
        Morsel morsel = new Morsel(current, current.offsets(done, done + count));
        current.retain();
        done += count;
        left -= count;
        return morsel;
      }
      close();
    }
    return null;
  }

  @Override
  public void close() {
    if (current != null) {
      current.close();
      current = null;
    }
  }
}
