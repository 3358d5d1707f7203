package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.internal.blob.PendingBlobs;
import dev.lance4j.format.internal.data.ArrayConcat;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayGather;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Rewrites columns of a fragment with new values for some of its rows: the columns go to a new data
 * file, and the fields of the old ones become tombstones.
 */
public final class ColumnPatch {
  private static final int BATCH = 8192;

  private final Scan.Source source;
  private final LanceSchema columns;
  private final List<Field> fields;
  private final boolean externalBlobs;
  private final BufferAllocator allocator;

  /** The values that take the place of others. */
  public interface NewValues {
    /**
     * The values for some of the rows that change.
     *
     * @param first number of the first one, counted from 0 in the order of their offsets
     * @param count how many, one at least
     * @return one array for each column, blobs as {@link PendingBlobs}; owned by the caller
     */
    List<ArrayData> take(int first, int count);
  }

  /**
   * @param source the version to patch a fragment of
   * @param columns to rewrite: fields of the version's schema, perhaps with some of their children
   * @param externalBlobs whether new blobs may lie outside of the table and its base paths
   */
  public ColumnPatch(Scan.Source source, LanceSchema columns, boolean externalBlobs) {
    this.source = source;
    this.columns = columns;
    this.fields = PendingBlobs.of(columns).toArrow().getFields();
    this.externalBlobs = externalBlobs;
    this.allocator = source.allocator();
  }

  /**
   * Writes the file. Nothing refers to it until the fragment is committed.
   *
   * @param offsets of the rows that change, ascending, inside the fragment
   * @param values of those rows
   * @return the fragment as it will be; its last file is the new one
   * @throws InvalidInputException if an offset is beyond the fragment or out of order
   */
  public FragmentMetadata apply(FragmentMetadata fragment, long[] offsets, NewValues values) {
    try (FragmentReader reader =
        FragmentReader.open(
            source.version(), fragment, BlobV2Fields.described(columns), source.session())) {
      check(offsets, reader.physicalRows());
      try (ColumnFileWriter writer =
          ColumnFileWriter.ofAllRows(source, reader, columns, externalBlobs)) {
        int changed = 0;
        for (long start = 0; start < reader.physicalRows(); start += BATCH) {
          long end = Math.min(start + BATCH, reader.physicalRows());
          int first = changed;
          while (changed < offsets.length && offsets[changed] < end) {
            changed++;
          }
          List<ArrayData> arrays = batch(reader, start, end, offsets, first, changed, values);
          try {
            writer.write(arrays, (int) (end - start));
          } finally {
            arrays.forEach(ArrayData::close);
          }
        }
        DataFile file = writer.finish();
        return FragmentFileLists.replacing(fragment, file, source.version().manifest().schema());
      }
    }
  }

  private static void check(long[] offsets, long rows) {
    for (int i = 0; i < offsets.length; i++) {
      if (offsets[i] < 0 || offsets[i] >= rows || (i > 0 && offsets[i] <= offsets[i - 1])) {
        throw new InvalidInputException(
            "Offset "
                + offsets[i]
                + " is not in the fragment of "
                + rows
                + " rows or out of order");
      }
    }
  }

  /** The values of all rows of a range, where those numbered from {@code first} on are new. */
  private List<ArrayData> batch(
      FragmentReader reader,
      long start,
      long end,
      long[] offsets,
      int first,
      int limit,
      NewValues values) {
    int rows = (int) (end - start);
    if (limit - first == rows) {
      return values.take(first, rows);
    }
    List<ArrayData> old = stored(reader, start, end);
    if (limit == first) {
      return old;
    }
    int[] positions = new int[rows];
    int next = first;
    for (int row = 0; row < rows; row++) {
      boolean isNew = next < limit && offsets[next] == start + row;
      positions[row] = isNew ? rows + next++ - first : row;
    }
    try {
      return combine(old, values.take(first, limit - first), positions);
    } finally {
      old.forEach(ArrayData::close);
    }
  }

  private List<ArrayData> stored(FragmentReader reader, long start, long end) {
    long[] fragmentIds = new long[(int) (end - start)];
    Arrays.fill(fragmentIds, reader.fragment().id());
    List<ArrayData> read = reader.read(RowRanges.of(start, end), allocator);
    return PendingBlobs.ofStored(columns, read, fragmentIds, allocator);
  }

  /** Picks from old and new values end to end; takes the new ones over. */
  private List<ArrayData> combine(List<ArrayData> old, List<ArrayData> added, int[] positions) {
    List<ArrayData> combined = new ArrayList<>(fields.size());
    boolean complete = false;
    try {
      for (int i = 0; i < fields.size(); i++) {
        Field field = fields.get(i);
        List<ArrayData> parts = List.of(old.get(i).retain(), added.get(i).retain());
        try (ArrayData both = ArrayConcat.concat(field, parts, allocator)) {
          combined.add(ArrayGather.gather(field, both, positions, allocator));
        }
      }
      complete = true;
      return combined;
    } finally {
      added.forEach(ArrayData::close);
      if (!complete) {
        combined.forEach(ArrayData::close);
      }
    }
  }
}
