package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import java.util.Arrays;

/** Rows in the order in which they were added. For use by one thread. */
final class RowList {
  private static final long[] NONE = {};

  private long[] rows = NONE;
  private int size;

  int size() {
    return size;
  }

  /** How many bytes of memory the next row takes. */
  long bytesToGrow() {
    return size < rows.length ? 0 : 8L * (capacity() - rows.length);
  }

  private int capacity() {
    return size == 0 ? 1 : (int) Math.min(2L * size, Integer.MAX_VALUE - 8);
  }

  void add(long row) {
    if (size == rows.length) {
      rows = Arrays.copyOf(rows, capacity());
    }
    rows[size++] = row;
  }

  <S extends RowSet<S>> S toSet(RowDomain<S> domain) {
    RowSet.Builder<S> set = domain.builder();
    set.add(rows, 0, size);
    return set.build();
  }
}
