package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.UnsupportedFormatException;
import java.util.Arrays;

/** Which rows of a file form each page. */
final class PageBounds {
  private static final long MAX_PAGE_ROWS = 1 << 28;

  private final long rows;
  private final long pageRows;
  // The first row of each page and the number of rows, if pages are not of the same size.
  private final long[] starts;
  private final int pages;

  private PageBounds(long rows, long pageRows, long[] starts, int pages) {
    this.rows = rows;
    this.pageRows = pageRows;
    this.starts = starts;
    this.pages = pages;
  }

  /**
   * The pages of a file: so many rows each, or the batches of files that have them.
   *
   * @throws CorruptFileException if there are more than there can be
   */
  static PageBounds of(LanceFileReader file, long pageRows) {
    long rows = file.rowCount();
    long[] batches = file.batchOffsets();
    if (batches.length > 0) {
      // A batch without rows would be a page that cannot be told from the next one.
      long[] starts = Arrays.stream(batches).distinct().toArray();
      for (int page = 1; page < starts.length; page++) {
        requireReadable(starts[page] - starts[page - 1], file);
      }
      return new PageBounds(rows, 0, starts, starts.length - 1);
    }
    long pages = rows / pageRows + (rows % pageRows == 0 ? 0 : 1);
    if (pages >= Integer.MAX_VALUE - Long.BYTES) {
      throw new CorruptFileException(
          file.path(), -1, "it has " + rows + " rows in pages of " + pageRows);
    }
    requireReadable(Math.min(rows, pageRows), file);
    return new PageBounds(rows, pageRows, null, (int) pages);
  }

  private static void requireReadable(long pageRows, LanceFileReader file) {
    if (pageRows > MAX_PAGE_ROWS) {
      throw new UnsupportedFormatException(
          file.path() + " has pages of " + pageRows + " rows, which are too large to be read");
    }
  }

  /** Whether the size of pages follows from the file and need not be known. */
  boolean areBatches() {
    return starts != null;
  }

  int pages() {
    return pages;
  }

  long rows() {
    return rows;
  }

  long start(int page) {
    return starts != null ? starts[page] : page * pageRows;
  }

  long end(int page) {
    return starts != null ? starts[page + 1] : Math.min(rows, (page + 1) * pageRows);
  }

  /** The page of a row. */
  int pageOf(long row) {
    if (starts == null) {
      return (int) (row / pageRows);
    }
    int found = Arrays.binarySearch(starts, row);
    return found >= 0 ? found : -found - 2;
  }
}
