package dev.lance4j.index.internal.scalar.btree;

/**
 * Numbers of rows with the keys of their values in order, stretch after stretch: first rows without
 * a value, then the others. Its fields are those of the stretch at hand, open to the merge's loop.
 * For use by one thread.
 */
abstract class NumberRun implements AutoCloseable {
  /** Keys of the stretch; without meaning for rows without a value. */
  long[] keys;

  /** Numbers of the rows of the stretch. */
  long[] rows;

  /** The position in the stretch. */
  int at;

  /** Where the stretch ends. */
  int end;

  /** Whether the rows of the stretch have no value. */
  boolean isNull;

  /** Moves on to the next row; false if there is none. */
  final boolean advance() {
    return ++at < end || load();
  }

  /** Moves on to the first row of the next stretch; false if there is none. */
  abstract boolean load();

  @Override
  public abstract void close();
}
