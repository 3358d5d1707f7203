package dev.lance4j.index.internal.segment;

import dev.lance4j.index.IndexSource;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowIdSet;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.rowid.RowSet;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.StableRows;
import java.util.OptionalLong;
import java.util.PrimitiveIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * Finds the rows that a segment names among those of the fragments that it covers: what a segment
 * says of a row that has left them, because it was changed or deleted, no longer counts.
 */
public final class StoredRowNumbers {
  // For so many rows looking each up is cheaper than going through all fragments.
  private static final long FEW_ROWS = 4096;

  private final IndexSource source;
  private final RoaringBitmap fragments;

  /**
   * @param fragments that the segment covers; must not be changed
   */
  public StoredRowNumbers(IndexSource source, RoaringBitmap fragments) {
    this.source = source;
    this.fragments = fragments;
  }

  /** The addresses of rows, some of which may be those of deleted ones. */
  public RowAddressSet toAddresses(RowSet<?> rows) {
    if (rows instanceof RowAddressSet addresses) {
      return source.version().movedRows().map(addresses).retainFragments(fragments);
    }
    return toAddresses((RowIdSet) rows);
  }

  private RowAddressSet toAddresses(RowIdSet rowIds) {
    OptionalLong count = rowIds.cardinality();
    return count.isPresent() && count.getAsLong() <= FEW_ROWS
        ? lookUp(rowIds, (int) count.getAsLong())
        : goThrough(rowIds);
  }

  private RowAddressSet lookUp(RowIdSet rowIds, int count) {
    if (count == 0) {
      return RowAddressSet.EMPTY;
    }
    long[] wanted = new long[count];
    PrimitiveIterator.OfLong each = rowIds.iterator();
    for (int i = 0; i < count; i++) {
      wanted[i] = each.nextLong();
    }
    RowAddressSet.Builder found = RowAddressSet.builder();
    for (long address : stableRows().rowAddresses(wanted)) {
      if (address != RowAddress.NONE && fragments.contains((int) RowAddress.fragmentId(address))) {
        found.add(address);
      }
    }
    return found.build();
  }

  private RowAddressSet goThrough(RowIdSet rowIds) {
    StableRows stable = stableRows();
    RowMask<RowIdSet> mask = RowMask.allow(rowIds);
    RowAddressSet.Builder found = RowAddressSet.builder();
    for (FragmentMetadata fragment : source.version().manifest().fragments()) {
      if (fragments.contains((int) fragment.id())) {
        found.addOffsets(fragment.id(), stable.rowIds(fragment).offsets(mask));
      }
    }
    return found.build();
  }

  private StableRows stableRows() {
    return new StableRows(source.version(), source.session());
  }
}
