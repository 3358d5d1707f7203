package dev.lance4j.rowid;

import dev.lance4j.format.InvalidInputException;

/**
 * Where a row is: a fragment and the row's offset in it, counting deleted rows. The address of a
 * row changes when the row is rewritten.
 *
 * <p>This class alone packs and unpacks addresses. Loops use the static methods on the packed
 * {@code long}; the record is for signatures in which an address could be taken for a stable row
 * id.
 *
 * @param packed the fragment id in the high 32 bits and the offset in the low 32 bits
 */
public record RowAddress(long packed) {
  /** The packed address that stands for no row. */
  public static final long NONE = -1;

  /** Fragment ids are smaller than this; it is also the most rows that a fragment can address. */
  public static final long LIMIT = 1L << 32;

  /**
   * The address of a row.
   *
   * @throws InvalidInputException if the fragment id or the offset does not fit an address
   */
  public static RowAddress of(long fragmentId, long offset) {
    return new RowAddress(pack(fragmentId, offset));
  }

  /**
   * The packed address of a row.
   *
   * @param fragmentId less than 2^32 - 1: the last id is reserved
   * @param offset less than 2^32
   * @throws InvalidInputException if one of them does not fit an address
   */
  public static long pack(long fragmentId, long offset) {
    if (fragmentId < 0 || fragmentId >= LIMIT - 1) {
      throw new InvalidInputException(
          "fragment id "
              + Long.toUnsignedString(fragmentId)
              + " does not fit a row address: use ids from 0 to "
              + (LIMIT - 2));
    }
    if (offset < 0 || offset >= LIMIT) {
      throw new InvalidInputException(
          "row offset "
              + Long.toUnsignedString(offset)
              + " does not fit a row address: use offsets from 0 to "
              + (LIMIT - 1));
    }
    return fragmentId << 32 | offset;
  }

  /** The fragment of a packed address. */
  public static long fragmentId(long rowAddress) {
    return rowAddress >>> 32;
  }

  /** The offset of a packed address in its fragment. */
  public static long offset(long rowAddress) {
    return rowAddress & (LIMIT - 1);
  }

  /** A packed address as text: fragment and offset. */
  public static String describe(long rowAddress) {
    return "fragment " + fragmentId(rowAddress) + ", offset " + offset(rowAddress);
  }

  /** The fragment that holds the row. */
  public long fragmentId() {
    return fragmentId(packed);
  }

  /** The row's offset in the fragment, counting deleted rows. */
  public long offset() {
    return offset(packed);
  }

  @Override
  public String toString() {
    return describe(packed);
  }
}
