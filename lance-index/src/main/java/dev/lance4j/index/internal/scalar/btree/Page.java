package dev.lance4j.index.internal.scalar.btree;

/**
 * The values of a page. Immutable.
 *
 * @param nulls how many rows without a value come first
 * @param values of the other rows
 */
record Page(int nulls, Keys values) {
  long memoryBytes() {
    return values.memoryBytes() + 64;
  }
}
