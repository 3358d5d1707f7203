package dev.lance4j.index.internal.segment;

import dev.lance4j.index.IndexSource;
import dev.lance4j.rowid.AddressMap;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowIdSet;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.StableRows;
import java.util.HashMap;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/**
 * Tells the rows of a segment that are still in the fragments that it covers from those that have
 * left them, because they were deleted or changed.
 */
public final class LiveRows {
  private LiveRows() {}

  /**
   * Keeps rows that are live in some fragments, under the addresses that they have now.
   *
   * @param numbers how the segment names rows
   * @param fragments that it covers
   */
  public static RowTranslation of(IndexSource source, RowNumbers numbers, RoaringBitmap fragments) {
    boolean stable = numbers == RowNumbers.IDS && source.version().manifest().hasStableRowIds();
    return stable ? ofIds(source, fragments) : ofAddresses(source, fragments);
  }

  private static RowTranslation ofIds(IndexSource source, RoaringBitmap fragments) {
    StableRows stable = new StableRows(source.version(), source.session());
    RowIdSet live = RowIdSet.EMPTY;
    for (FragmentMetadata fragment : source.version().manifest().fragments()) {
      if (fragments.contains((int) fragment.id())) {
        RoaringBitmap deleted = deletions(source, fragment).offsets();
        live = live.or(stable.rowIds(fragment).liveIds(deleted));
      }
    }
    RowIdSet kept = live;
    return row -> kept.contains(row) ? row : RowTranslation.GONE;
  }

  private static RowTranslation ofAddresses(IndexSource source, RoaringBitmap fragments) {
    Map<Long, DeletionVector> deletions = new HashMap<>();
    for (FragmentMetadata fragment : source.version().manifest().fragments()) {
      if (fragments.contains((int) fragment.id())) {
        deletions.put(fragment.id(), deletions(source, fragment));
      }
    }
    AddressMap moves = source.version().movedRows();
    return row -> {
      long now = moves.map(row);
      DeletionVector deleted = deletions.get(RowAddress.fragmentId(now));
      boolean kept = deleted != null && !deleted.contains(RowAddress.offset(now));
      return kept ? now : RowTranslation.GONE;
    };
  }

  private static DeletionVector deletions(IndexSource source, FragmentMetadata fragment) {
    return DeletionFiles.read(source.version(), fragment, source.session());
  }
}
