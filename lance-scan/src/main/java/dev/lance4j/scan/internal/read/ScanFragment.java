package dev.lance4j.scan.internal.read;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.Bitmaps;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.column.ReadGroup;
import dev.lance4j.scan.internal.column.VirtualColumn;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;

/**
 * A fragment of which columns are read. Files are opened when they are first needed and closed with
 * the last user. Safe for use by many threads.
 */
public final class ScanFragment implements AutoCloseable {
  private static final LanceSchema NO_COLUMNS = new LanceSchema(List.of(), Map.of());

  private final Scan.Source source;
  private final FragmentPositions positions;
  private final boolean deletedToo;
  private final FragmentReader rows;
  private final List<FragmentReader> readers = new ArrayList<>();
  private int users = 1;

  private ScanFragment(
      Scan.Source source, FragmentPositions positions, boolean deletedToo, FragmentReader rows) {
    this.source = source;
    this.positions = positions;
    this.deletedToo = deletedToo;
    this.rows = rows;
  }

  /**
   * Opens a fragment for one user.
   *
   * @param positions where the fragments start among the live rows of the table
   * @param deletedToo whether rows that are deleted are read too; their row id is null
   */
  public static ScanFragment open(
      Scan.Source source,
      FragmentMetadata fragment,
      FragmentPositions positions,
      boolean deletedToo) {
    FragmentReader rows =
        FragmentReader.open(source.version(), fragment, NO_COLUMNS, source.session());
    return new ScanFragment(source, positions, deletedToo, rows);
  }

  Scan.Source source() {
    return source;
  }

  /** The fragment. */
  public FragmentMetadata metadata() {
    return rows.fragment();
  }

  /** The rows that are not deleted. */
  public DeletionVector deletions() {
    return rows.deletions();
  }

  /** The number of rows, deleted ones included. */
  public long physicalRows() {
    return rows.physicalRows();
  }

  /** The number of rows that a scan gives. */
  public long rows() {
    return deletedToo ? rows.physicalRows() : rows.liveRows();
  }

  /** Where rows are that are named by their number among those that a scan gives. */
  public RowRanges offsets(long start, long end) {
    RowRanges numbers = RowRanges.of(start, end);
    return deletedToo ? numbers : rows.toOffsets(numbers);
  }

  /** Those of the rows that a mask selects and that are not deleted. */
  public ChosenRows choose(RowMask<RowAddressSet> mask) {
    return ChosenRows.of(mask, metadata().id(), physicalRows(), deletions());
  }

  /** Where rows are that are named by their number among those that are not deleted. */
  public RowRanges toOffsets(RowRanges live) {
    return rows.toOffsets(live);
  }

  /**
   * Reads rows.
   *
   * @return an array for each column of the group, owned by the caller
   */
  public List<ArrayData> read(ReadGroup group, RowRanges offsets) {
    return group.isEmpty() ? List.of() : reader(group).read(offsets, source.allocator());
  }

  private synchronized FragmentReader reader(ReadGroup group) {
    while (readers.size() <= group.number()) {
      readers.add(null);
    }
    FragmentReader reader = readers.get(group.number());
    if (reader == null) {
      reader = FragmentReader.open(source.version(), metadata(), group.schema(), source.session());
      readers.set(group.number(), reader);
    }
    return reader;
  }

  /** The values of a virtual column, owned by the caller. */
  ArrayData virtual(VirtualColumn column, RowRanges offsets) {
    long[] values = new FragmentRows(source, metadata(), offsets, positions).of(column);
    int count = values.length;
    ArrowBuf buffer = source.allocator().buffer(8L * count);
    for (int i = 0; i < count; i++) {
      buffer.setLong(8L * i, values[i]);
    }
    buffer.writerIndex(8L * count);
    boolean placeless = column == VirtualColumn.ROW_ID || column == VirtualColumn.ROW_OFFSET;
    int deleted = deletedToo && placeless ? countDeleted(offsets) : 0;
    ArrowBuf validity = deleted == 0 ? null : liveBits(offsets, buffer);
    return new ArrayData(count, deleted, new ArrowBuf[] {validity, buffer});
  }

  private int countDeleted(RowRanges offsets) {
    long deleted = 0;
    for (int i = 0; i < offsets.size(); i++) {
      deleted +=
          deletions().deletedBefore(offsets.end(i)) - deletions().deletedBefore(offsets.start(i));
    }
    return (int) deleted;
  }

  /** A bit for each row that is not deleted; what was allocated before is freed on failure. */
  private ArrowBuf liveBits(RowRanges offsets, ArrowBuf allocated) {
    ArrowBuf bits;
    try {
      bits = source.allocator().buffer(Bitmaps.bytes(offsets.rows()));
    } catch (RuntimeException | Error e) {
      allocated.close();
      throw e;
    }
    bits.setZero(0, bits.capacity());
    int row = 0;
    for (int i = 0; i < offsets.size(); i++) {
      for (long offset = offsets.start(i); offset < offsets.end(i); offset++) {
        if (!deletions().contains(offset)) {
          bits.setByte(row >> 3, bits.getByte(row >> 3) | 1 << (row & 7));
        }
        row++;
      }
    }
    return bits;
  }

  /** Adds a user, which must close the fragment too. */
  public synchronized ScanFragment retain() {
    users++;
    return this;
  }

  @Override
  public synchronized void close() {
    users--;
    if (users > 0) {
      return;
    }
    for (FragmentReader reader : readers) {
      if (reader != null) {
        reader.close();
      }
    }
    rows.close();
  }
}
