package dev.lance4j.format.internal.v21.layout;

import dev.lance4j.format.internal.page.RowRanges;

/**
 * Reads rows of one page. Keeps what all reads need (chunk tables, dictionaries, levels of constant
 * pages) once it was read. Safe for use by many threads.
 */
public interface PageReader {
  /**
   * Starts reading.
   *
   * @param rows numbered from the page's first row on, inside the page
   */
  PageRead read(RowRanges rows);
}
