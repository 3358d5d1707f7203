package dev.lance4j.rowid;

import dev.lance4j.rowid.internal.WordMap;
import org.roaringbitmap.RoaringBitmap;

/**
 * A set of row addresses. A whole fragment takes no more than its id, and stays small when a few of
 * its rows are taken away.
 */
public final class RowAddressSet extends RowSet<RowAddressSet> {
  /** The set without addresses. */
  public static final RowAddressSet EMPTY = new RowAddressSet(WordMap.EMPTY);

  RowAddressSet(WordMap words) {
    super(words);
  }

  /** Collects row addresses. */
  public static final class Builder extends RowSet.Builder<RowAddressSet> {
    /** Adds all rows of a fragment, however many it has. */
    public void addFragment(long fragmentId) {
      words.addWhole(checked(fragmentId));
    }

    /** Adds the rows of a fragment at some offsets. */
    public void addOffsets(long fragmentId, RoaringBitmap offsets) {
      words.addWord(checked(fragmentId), offsets);
    }

    private static long checked(long fragmentId) {
      return RowAddress.fragmentId(RowAddress.pack(fragmentId, 0));
    }

    @Override
    public RowAddressSet build() {
      return new RowAddressSet(words.build());
    }
  }

  /** An empty builder. */
  public static Builder builder() {
    return new Builder();
  }

  /** The set of these packed addresses. */
  public static RowAddressSet of(long... rowAddresses) {
    Builder builder = builder();
    builder.add(rowAddresses, 0, rowAddresses.length);
    return builder.build();
  }

  /** The fragments that have a row in the set, ascending. */
  public long[] fragmentIds() {
    return words().highWords();
  }

  /** Whether all rows of a fragment are in the set, however many it has. */
  public boolean containsFragment(long fragmentId) {
    return words().containsWhole(fragmentId);
  }

  /**
   * The offsets of the rows of one fragment that are in the set.
   *
   * @param physicalRows the number of rows in the fragment, deleted ones included
   * @return a bitmap that is the caller's
   */
  public RoaringBitmap offsets(long fragmentId, long physicalRows) {
    return words().lowWords(fragmentId, physicalRows);
  }

  /** The rows of the set that are in some fragments. */
  public RowAddressSet retainFragments(RoaringBitmap fragmentIds) {
    return with(words().retain(fragmentIds));
  }

  @Override
  RowAddressSet with(WordMap rows) {
    return new RowAddressSet(rows);
  }
}
