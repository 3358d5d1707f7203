package dev.lance4j.scan.internal.plan;

import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.read.ChosenRows;
import dev.lance4j.scan.internal.read.FragmentPositions;
import dev.lance4j.scan.internal.read.Morsel;
import dev.lance4j.scan.internal.read.ScanFragment;
import java.util.Iterator;
import java.util.List;

/** Cuts fragments into morsels, in order. For use by one thread. */
final class Morsels implements AutoCloseable {
  private final Scan.Source source;
  private final Iterator<FragmentWork> fragments;
  private final boolean deletedToo;
  private final FragmentPositions positions;
  private long toSkip;
  private long left;
  private ProjectNode work;
  private ScanFragment current;
  private ChosenRows chosen;
  private long rows;
  private long done;

  /**
   * @param fragments in order
   * @param deletedToo whether to include deleted rows
   * @param window which of the rows to take
   */
  Morsels(Scan.Source source, List<FragmentWork> fragments, boolean deletedToo, Window window) {
    this.source = source;
    this.fragments = fragments.iterator();
    this.deletedToo = deletedToo;
    this.positions = new FragmentPositions(source);
    this.toSkip = window.offset();
    this.left = window.limit();
  }

  /** The next rows, at most so many; null at the end. Must be closed. */
  Morsel next(long most) {
    while (left > 0) {
      if (current == null) {
        if (!fragments.hasNext()) {
          return null;
        }
        open(fragments.next());
      }
      long skipped = Math.min(toSkip, rows - done);
      done += skipped;
      toSkip -= skipped;
      long count = Math.min(Math.min(most, left), rows - done);
      if (count > 0) {
        Morsel morsel = new Morsel(current, offsets(done, done + count));
        current.retain();
        done += count;
        left -= count;
        return morsel;
      }
      close();
    }
    return null;
  }

  private void open(FragmentWork fragment) {
    work = fragment.work();
    current = ScanFragment.open(source, fragment.fragment(), positions, deletedToo);
    chosen = fragment.rows().map(current::choose).orElse(null);
    rows = chosen == null ? current.rows() : chosen.rows();
    done = 0;
  }

  private RowRanges offsets(long start, long end) {
    return chosen == null ? current.offsets(start, end) : chosen.offsets(start, end);
  }

  /** What is done with the morsel that was given last. */
  ProjectNode work() {
    return work;
  }

  @Override
  public void close() {
    if (current != null) {
      current.close();
      current = null;
      chosen = null;
    }
  }
}
