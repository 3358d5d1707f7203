package dev.lance4j.rowid;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.rowid.internal.LiveRowIndex;
import dev.lance4j.rowid.internal.LiveRows;
import dev.lance4j.rowid.internal.U64Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.roaringbitmap.RoaringBitmap;

/**
 * Where the live rows of one version of a table with stable row ids are. Immutable.
 *
 * <p>Rows that were written in one go cost bytes per fragment, not per row; rows that were moved
 * one by one cost about 11 bytes each. The index keeps the given sequences and bitmaps of deleted
 * rows and does not copy them.
 */
public final class RowIdIndex {
  private final LiveRowIndex rows;
  private final long memoryBytes;

  private RowIdIndex(LiveRowIndex rows, long memoryBytes) {
    this.rows = rows;
    this.memoryBytes = memoryBytes;
  }

  /**
   * Builds the index of a version.
   *
   * @param table the path of the table, for errors
   * @param fragments all fragments of the version
   * @throws CorruptFileException if two live rows have the same id, or if a row is deleted that its
   *     fragment does not have
   */
  public static RowIdIndex build(String table, Iterable<FragmentRowIds> fragments) {
    LiveRowIndex.Builder builder = new LiveRowIndex.Builder(table);
    long bitmapBytes = 0;
    for (FragmentRowIds fragment : fragments) {
      parts(table, fragment).forEach(builder::add);
      RoaringBitmap deleted = fragment.deletedOffsets();
      bitmapBytes += deleted == null ? 0 : deleted.getLongSizeInBytes();
    }
    LiveRowIndex rows = builder.build();
    return new RowIdIndex(rows, rows.memoryBytes() + bitmapBytes);
  }

  private static List<LiveRows> parts(String table, FragmentRowIds fragment) {
    RoaringBitmap deleted = fragment.deletedOffsets();
    if (deleted != null && !deleted.isEmpty()) {
      requireOffset(table, fragment, Integer.toUnsignedLong(deleted.last()));
    }
    List<U64Segment> segments = fragment.rowIds().segments();
    List<LiveRows> parts = new ArrayList<>(segments.size());
    long offset = 0;
    for (U64Segment segment : segments) {
      if (segment.length() > 0) {
        long firstAddress = RowAddress.pack(fragment.fragmentId(), offset);
        parts.add(new LiveRows(segment, firstAddress, offset, deleted));
      }
      offset += segment.length();
    }
    return parts;
  }

  private static void requireOffset(String table, FragmentRowIds fragment, long offset) {
    if (offset >= fragment.rowIds().length()) {
      throw new CorruptFileException(
          table,
          -1,
          "the row at offset "
              + offset
              + " of fragment "
              + fragment.fragmentId()
              + " is deleted, but there are only "
              + fragment.rowIds().length()
              + " row ids");
    }
  }

  /**
   * Looks up a few ids without building an index.
   *
   * @param table the path of the table, for errors
   * @param fragments all fragments of the version
   * @return the packed row address of each id, or {@link RowAddress#NONE} where no live row has it
   * @throws CorruptFileException if an id is that of two live rows
   */
  public static long[] find(String table, Iterable<FragmentRowIds> fragments, long... rowIds) {
    long[] rowAddresses = new long[rowIds.length];
    Arrays.fill(rowAddresses, RowAddress.NONE);
    for (FragmentRowIds fragment : fragments) {
      for (LiveRows part : parts(table, fragment)) {
        find(table, part, rowIds, rowAddresses);
      }
    }
    return rowAddresses;
  }

  private static void find(String table, LiveRows part, long[] rowIds, long[] rowAddresses) {
    for (int i = 0; i < rowIds.length; i++) {
      long found = part.rowAddress(rowIds[i]);
      if (found != RowAddress.NONE && rowAddresses[i] != RowAddress.NONE) {
        throw LiveRowIndex.twice(table, rowIds[i], rowAddresses[i], found);
      }
      rowAddresses[i] = found == RowAddress.NONE ? rowAddresses[i] : found;
    }
  }

  /** The packed address of the live row with a stable row id, or {@link RowAddress#NONE}. */
  public long rowAddress(long rowId) {
    return rows.rowAddress(rowId);
  }

  /** The address of the live row with a stable row id. */
  public Optional<RowAddress> find(StableRowId rowId) {
    long rowAddress = rowAddress(rowId.value());
    return rowAddress == RowAddress.NONE
        ? Optional.empty()
        : Optional.of(new RowAddress(rowAddress));
  }

  /** The packed address of each id, or {@link RowAddress#NONE} where no live row has it. */
  public long[] rowAddresses(long... rowIds) {
    long[] rowAddresses = new long[rowIds.length];
    for (int i = 0; i < rowIds.length; i++) {
      rowAddresses[i] = rowAddress(rowIds[i]);
    }
    return rowAddresses;
  }

  /** The number of live rows. */
  public long rows() {
    return rows.rows();
  }

  /** Bytes of memory, including the given sequences and bitmaps as far as the index keeps them. */
  public long memoryBytes() {
    return memoryBytes;
  }
}
