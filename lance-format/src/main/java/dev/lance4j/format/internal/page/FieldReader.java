package dev.lance4j.format.internal.page;

/**
 * Reads one top-level field of one file. Holds what is worth keeping between reads (decoded chunk
 * tables, dictionaries). Safe for use by many threads.
 */
public interface FieldReader {
  /**
   * Starts reading rows of the file.
   *
   * @param rows file-relative row numbers, inside the file
   */
  FieldRead read(RowRanges rows);
}
