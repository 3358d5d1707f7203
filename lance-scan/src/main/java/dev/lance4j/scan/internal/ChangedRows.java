package dev.lance4j.scan.internal;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.read.FragmentPositions;
import dev.lance4j.scan.internal.read.RowReader;
import dev.lance4j.scan.internal.read.ScanFragment;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.FragmentMetadata;
import java.util.Arrays;
import java.util.Iterator;
import java.util.function.Function;
import org.roaringbitmap.RoaringBitmap;

/** The batches of some rows of each fragment, in the order of the table. */
public final class ChangedRows implements ArrayBatchReader.Source {
  private final Scan.Source source;
  private final RowReader reader;
  private final Function<FragmentMetadata, RoaringBitmap> chosen;
  private final int batchSize;
  private final FragmentPositions positions;
  private final Iterator<FragmentMetadata> fragments;
  private ScanFragment current;
  private RowRanges offsets;
  private long done;

  /**
   * @param chosen the offsets of the rows to read in a fragment, deleted or not, owned by the
   *     caller
   */
  public ChangedRows(
      Scan.Source source,
      RowReader reader,
      Function<FragmentMetadata, RoaringBitmap> chosen,
      int batchSize) {
    this.source = source;
    this.reader = reader;
    this.chosen = chosen;
    this.batchSize = batchSize;
    this.positions = new FragmentPositions(source);
    this.fragments = source.version().manifest().fragments().iterator();
  }

  @Override
  public ArrayBatch next() {
    while (current == null || done == offsets.rows()) {
      close();
      if (!fragments.hasNext()) {
        return null;
      }
      open(fragments.next());
    }
    RowRanges batch = offsets.select(done, batchSize);
    done += batch.rows();
    return reader.read(current, batch);
  }

  private void open(FragmentMetadata fragment) {
    RoaringBitmap rows = chosen.apply(fragment);
    if (rows.isEmpty()) {
      return;
    }
    rows.andNot(DeletionFiles.read(source.version(), fragment, source.session()).offsets());
    offsets = ranges(rows);
    done = 0;
    current = ScanFragment.open(source, fragment, positions, false);
  }

  private static RowRanges ranges(RoaringBitmap rows) {
    int count = 0;
    long[] starts = new long[16];
    long[] ends = new long[16];
    long next = rows.isEmpty() ? -1 : rows.nextValue(0);
    while (next >= 0) {
      if (count == starts.length) {
        starts = Arrays.copyOf(starts, 2 * count);
        ends = Arrays.copyOf(ends, 2 * count);
      }
      starts[count] = next;
      ends[count] = rows.nextAbsentValue((int) next);
      next = rows.nextValue((int) ends[count]);
      count++;
    }
    return RowRanges.of(Arrays.copyOf(starts, count), Arrays.copyOf(ends, count));
  }

  @Override
  public void close() {
    if (current != null) {
      current.close();
      current = null;
    }
  }
}
