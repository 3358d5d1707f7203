package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.RowRanges;

/** A read of rows that are indices into items, of which all are read. */
abstract class DictionaryRead implements FieldRead {
  private final PageIndices indices;
  private final RowRanges rows;
  private final FixedWidthRead indicesRead;
  private final FieldRead itemsRead;

  DictionaryRead(PageIndices indices, PageArray items, int itemCount, RowRanges rows) {
    this.indices = indices;
    this.rows = rows;
    this.indicesRead = indices.read(rows);
    this.itemsRead = items.read(RowRanges.of(0, itemCount));
  }

  @Override
  public final boolean request(RangeRequests requests) {
    boolean asked = indicesRead.request(requests);
    return itemsRead.request(requests) || asked;
  }

  /** The index of each row, checked to be less than {@code limit}. */
  final int[] indices(long limit) {
    return indices.values(rows, indicesRead, limit);
  }

  final FieldRead items() {
    return itemsRead;
  }
}
