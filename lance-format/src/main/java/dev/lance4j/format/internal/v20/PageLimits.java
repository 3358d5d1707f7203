package dev.lance4j.format.internal.v20;

/**
 * When pages are written.
 *
 * @param pageBytes once more than this waits in a column, it becomes a page
 * @param maxPageBytes rows that come together and are larger than this are split
 */
record PageLimits(long pageBytes, long maxPageBytes) {
  static final PageLimits DEFAULT = new PageLimits(8L << 20, 32L << 20);

  /** The rows of each page when rows that came together become pages. */
  long rowsPerPage(long rows, long bytes) {
    if (bytes <= maxPageBytes) {
      return rows;
    }
    long pages = Math.min(rows, (bytes + maxPageBytes - 1) / maxPageBytes);
    return (rows + pages - 1) / pages;
  }
}
