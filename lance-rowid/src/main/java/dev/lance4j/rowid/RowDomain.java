package dev.lance4j.rowid;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.rowid.internal.WordMap;
import java.nio.ByteBuffer;

/**
 * What the numbers of a table's {@code _rowid} column are, for code that works on either: addresses
 * unless the table has stable row ids.
 *
 * @param <S> the sets of such numbers
 */
public abstract sealed class RowDomain<S extends RowSet<S>> {
  /** Row addresses. */
  public static final RowDomain<RowAddressSet> ADDRESSES = new Addresses();

  /** Stable row ids. */
  public static final RowDomain<RowIdSet> STABLE_IDS = new StableIds();

  private RowDomain() {}

  /** The set without rows. */
  public abstract S empty();

  /** An empty builder. */
  public abstract RowSet.Builder<S> builder();

  /**
   * Parses the serialised form of a set.
   *
   * @param path where the bytes are from, for errors
   * @throws CorruptFileException if the bytes are no set of this kind
   */
  public abstract S parse(ByteBuffer bytes, String path);

  private static final class Addresses extends RowDomain<RowAddressSet> {
    @Override
    public RowAddressSet empty() {
      return RowAddressSet.EMPTY;
    }

    @Override
    public RowSet.Builder<RowAddressSet> builder() {
      return RowAddressSet.builder();
    }

    @Override
    public RowAddressSet parse(ByteBuffer bytes, String path) {
      RowAddressSet rows = new RowAddressSet(WordMap.parse(bytes, path));
      long[] fragmentIds = rows.fragmentIds();
      long reserved = RowAddress.fragmentId(RowAddress.NONE);
      if (fragmentIds.length > 0 && fragmentIds[fragmentIds.length - 1] == reserved) {
        throw new CorruptFileException(
            path, -1, "a set of row addresses has rows in the reserved fragment " + reserved);
      }
      return rows;
    }
  }

  private static final class StableIds extends RowDomain<RowIdSet> {
    @Override
    public RowIdSet empty() {
      return RowIdSet.EMPTY;
    }

    @Override
    public RowSet.Builder<RowIdSet> builder() {
      return RowIdSet.builder();
    }

    @Override
    public RowIdSet parse(ByteBuffer bytes, String path) {
      WordMap words = WordMap.parse(bytes, path);
      if (words.cardinality().isEmpty()) {
        throw new CorruptFileException(
            path, -1, "a set of stable row ids holds a whole fragment, which only addresses can");
      }
      return new RowIdSet(words);
    }
  }
}
