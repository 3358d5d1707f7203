package dev.lance4j.format.internal.v21;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.internal.v21.item.ItemType;
import dev.lance4j.format.internal.v21.layout.PageReader;
import dev.lance4j.format.internal.v21.layout.PageReaders;
import dev.lance4j.format.internal.v21.level.LayerShape;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** One column of a file: its type, its place in the nesting of its field, and its pages. */
final class LeafColumn {
  private final String path;
  private final ColumnInfo column;
  private final ItemType type;
  private final LayerShape shape;
  private final int rowFactor;
  private final AtomicReferenceArray<PageReader> readers;

  /**
   * @param path the file
   * @param rowFactor the number of rows that the column counts for each row of the file: the
   *     dimensions of fixed-size lists of structs around it
   */
  LeafColumn(String path, ColumnInfo column, ItemType type, LayerShape shape, int rowFactor) {
    this.path = path;
    this.column = column;
    this.type = type;
    this.shape = shape;
    this.rowFactor = rowFactor;
    this.readers = new AtomicReferenceArray<>(column.pages().size());
  }

  ItemType type() {
    return type;
  }

  LayerShape shape() {
    return shape;
  }

  /** An error that names the column. */
  CorruptFileException corrupt(String message, Throwable cause) {
    return new CorruptFileException(path, -1, "column " + column.index() + ": " + message, cause);
  }

  /** Starts reading rows of the file. */
  LeafRead read(RowRanges fileRows) {
    long fileLimit = column.rows() / rowFactor;
    if (fileRows.limit() > fileLimit) {
      throw corrupt("it has " + fileLimit + " rows where the file needs " + fileRows.limit(), null);
    }
    RowRanges rows = scaled(fileRows);
    List<LeafRead.Part> parts = new ArrayList<>();
    int page = rows.isEmpty() ? column.pages().size() : pageOf(rows.start(0));
    while (page < column.pages().size()) {
      PageInfo info = column.pages().get(page);
      long end = info.firstRow() + info.rows();
      RowRanges inPage = rows.slice(info.firstRow(), end);
      if (!inPage.isEmpty()) {
        parts.add(new LeafRead.Part(info, reader(page).read(inPage)));
      }
      long next = rows.firstFrom(end);
      page = next < 0 ? column.pages().size() : Math.max(page + 1, pageOf(next));
    }
    return new LeafRead(this, rows, parts);
  }

  private RowRanges scaled(RowRanges rows) {
    if (rowFactor == 1) {
      return rows;
    }
    long[] starts = new long[rows.size()];
    long[] ends = new long[rows.size()];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = rows.start(i) * rowFactor;
      ends[i] = rows.end(i) * rowFactor;
    }
    return RowRanges.of(starts, ends);
  }

  /** The last page that begins at or before a row. */
  private int pageOf(long row) {
    int low = 0;
    int high = column.pages().size() - 1;
    while (low < high) {
      int mid = (low + high + 1) >>> 1;
      if (column.pages().get(mid).firstRow() <= row) {
        low = mid;
      } else {
        high = mid - 1;
      }
    }
    return low;
  }

  private PageReader reader(int page) {
    PageReader reader = readers.get(page);
    if (reader == null) {
      readers.compareAndSet(page, null, PageReaders.open(column.pages().get(page), type, shape));
      reader = readers.get(page);
    }
    return reader;
  }
}
