package dev.lance4j.rowid;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.rowid.internal.WordMap;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.PrimitiveIterator;

/**
 * A set of rows: either of row addresses or of stable row ids. Immutable. Only sets of the same
 * kind combine.
 *
 * @param <S> the kind of set
 */
public abstract sealed class RowSet<S extends RowSet<S>> permits RowAddressSet, RowIdSet {
  private final WordMap words;

  RowSet(WordMap words) {
    this.words = words;
  }

  /**
   * Collects rows. The rows are addresses if the set is to be a {@link RowAddressSet}, stable row
   * ids if it is to be a {@link RowIdSet}.
   */
  public abstract static sealed class Builder<S extends RowSet<S>>
      permits RowAddressSet.Builder, RowIdSet.Builder {
    final WordMap.Builder words = new WordMap.Builder();

    Builder() {}

    /** Adds a row. */
    public void add(long row) {
      words.add(row);
    }

    /** Adds the rows in a part of an array. */
    public void add(long[] rows, int from, int to) {
      words.add(rows, from, to);
    }

    /** Adds all rows from {@code first} to {@code last}, both inclusive. */
    public void addRange(long first, long last) {
      words.addRange(first, last);
    }

    /** Adds the rows of a set. */
    public void addAll(S rows) {
      words.addAll(rows.words());
    }

    /** The rows added so far; the builder must not be used after this. */
    public abstract S build();
  }

  final WordMap words() {
    return words;
  }

  abstract S with(WordMap rows);

  /** Whether a row is in the set; the row is an address or a stable row id as the set is. */
  public final boolean contains(long row) {
    return words.contains(row);
  }

  /** Whether no row is in the set. */
  public final boolean isEmpty() {
    return words.isEmpty();
  }

  /** The number of rows, if it is known: that of a whole fragment is not. */
  public final OptionalLong cardinality() {
    return words.cardinality();
  }

  /** The rows that are in one or both of the sets. */
  public final S or(S that) {
    return with(words.or(that.words()));
  }

  /** The rows that are in both sets. */
  public final S and(S that) {
    return with(words.and(that.words()));
  }

  /** The rows of this set that are not in the other. */
  public final S andNot(S that) {
    return with(words.andNot(that.words()));
  }

  /**
   * The rows, ascending as unsigned numbers.
   *
   * @throws InvalidInputException if a whole fragment is in the set, as its rows are not known
   */
  public final PrimitiveIterator.OfLong iterator() {
    if (cardinality().isEmpty()) {
      throw new InvalidInputException(
          "the rows of whole fragments cannot be listed: ask for the offsets of each fragment");
    }
    return new Rows(words.cursor(0, -1));
  }

  private static final class Rows implements PrimitiveIterator.OfLong {
    private final WordMap.Cursor cursor;
    private boolean hasNext;

    Rows(WordMap.Cursor cursor) {
      this.cursor = cursor;
      this.hasNext = cursor.next();
    }

    @Override
    public boolean hasNext() {
      return hasNext;
    }

    @Override
    public long nextLong() {
      if (!hasNext) {
        throw new NoSuchElementException();
      }
      long row = cursor.number();
      hasNext = cursor.next();
      return row;
    }
  }

  /** The serialised form, as indices and query plans hold it. */
  public final byte[] toBytes() {
    return words.toBytes();
  }

  /** Bytes of memory. */
  public final long memoryBytes() {
    return words.memoryBytes();
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof RowSet<?> that
        && getClass() == that.getClass()
        && words.equals(that.words);
  }

  @Override
  public final int hashCode() {
    return words.hashCode();
  }

  @Override
  public final String toString() {
    OptionalLong rows = cardinality();
    String size = rows.isPresent() ? rows.getAsLong() + " rows" : "whole fragments";
    return getClass().getSimpleName() + "[" + size + "]";
  }
}
