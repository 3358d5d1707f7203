package dev.lance4j.rowid;

import dev.lance4j.rowid.internal.IdPairs;
import dev.lance4j.rowid.internal.IdTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PrimitiveIterator;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/** Finds out in which versions the rows of a new fragment were created. */
public final class CreatedVersions {
  private CreatedVersions() {}

  /**
   * The versions in which the rows of a new fragment were created. A row that was moved keeps the
   * version that it has in the fragment with the smallest id, deleted there or not: that is where
   * it came from.
   *
   * @param rowIds the ids of all rows of the new fragment
   * @param fragments all fragments that were there before
   * @param version of the table that is being written, in which all rows without a source are
   *     created
   */
  public static RowVersionSequence of(
      RowIdSequence rowIds, List<FragmentLineage> fragments, long version) {
    IdTable known = find(rowIds.ids(), fragments);
    RowVersionSequence.Builder created = RowVersionSequence.builder();
    for (PrimitiveIterator.OfLong ids = rowIds.iterator(); ids.hasNext(); ) {
      long source = known.get(ids.nextLong());
      created.append(1, source < 0 ? version : source);
    }
    return created.build();
  }

  private static IdTable find(RowIdSet wanted, List<FragmentLineage> fragments) {
    RowMask<RowIdSet> mask = RowMask.allow(wanted);
    List<FragmentLineage> ascending = new ArrayList<>(fragments);
    ascending.sort(Comparator.comparingLong(FragmentLineage::fragmentId));
    List<RoaringBitmap> offsets = new ArrayList<>(ascending.size());
    long found = 0;
    for (FragmentLineage fragment : ascending) {
      RoaringBitmap inFragment = fragment.rowIds().offsets(mask);
      offsets.add(inFragment);
      found += inFragment.getLongCardinality();
    }
    IdPairs versions = new IdPairs(Math.toIntExact(found));
    for (int i = 0; i < ascending.size(); i++) {
      addVersions(ascending.get(i), offsets.get(i), versions);
    }
    versions.sort();
    versions.keepFirst();
    return new IdTable(versions);
  }

  private static void addVersions(
      FragmentLineage fragment, RoaringBitmap offsets, IdPairs versions) {
    for (PeekableIntIterator next = offsets.getIntIterator(); next.hasNext(); ) {
      long offset = Integer.toUnsignedLong(next.next());
      versions.add(fragment.rowIds().rowId(offset), fragment.createdVersion(offset));
    }
  }
}
