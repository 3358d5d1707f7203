package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a read that falls into one page.
 *
 * @param page the page's index in its column
 * @param rows numbered within the page, not empty
 */
record PageSplit(int page, RowRanges rows) {
  /**
   * The pages that rows of a column fall into.
   *
   * @throws dev.lance4j.format.CorruptFileException if the column has fewer rows
   */
  static List<PageSplit> of(ColumnInfo column, RowRanges rows) {
    FileColumns.checkRows(column, rows);
    List<PageSplit> splits = new ArrayList<>();
    if (rows.isEmpty()) {
      return splits;
    }
    List<PageInfo> pages = column.pages();
    for (int i = pageOf(pages, rows.start(0)); i < pages.size(); i++) {
      PageInfo page = pages.get(i);
      if (page.firstRow() >= rows.limit()) {
        break;
      }
      RowRanges local = rows.slice(page.firstRow(), page.firstRow() + page.rows());
      if (!local.isEmpty()) {
        splits.add(new PageSplit(i, local));
      }
    }
    return splits;
  }

  /** The first page that ends after a row. */
  private static int pageOf(List<PageInfo> pages, long row) {
    int low = 0;
    int high = pages.size();
    while (low < high) {
      int mid = (low + high) >>> 1;
      if (pages.get(mid).firstRow() + pages.get(mid).rows() > row) {
        high = mid;
      } else {
        low = mid + 1;
      }
    }
    return low;
  }
}
