package dev.lance4j.rowid;

import dev.lance4j.rowid.internal.WordMap;

/** A set of stable row ids. It knows nothing of fragments, as an id says nothing about them. */
public final class RowIdSet extends RowSet<RowIdSet> {
  /** The set without ids. */
  public static final RowIdSet EMPTY = new RowIdSet(WordMap.EMPTY);

  RowIdSet(WordMap words) {
    super(words);
  }

  /** Collects stable row ids. */
  public static final class Builder extends RowSet.Builder<RowIdSet> {
    @Override
    public RowIdSet build() {
      return new RowIdSet(words.build());
    }
  }

  /** An empty builder. */
  public static Builder builder() {
    return new Builder();
  }

  /** The set of these ids. */
  public static RowIdSet of(long... rowIds) {
    Builder builder = builder();
    builder.add(rowIds, 0, rowIds.length);
    return builder.build();
  }

  @Override
  RowIdSet with(WordMap rows) {
    return new RowIdSet(rows);
  }
}
