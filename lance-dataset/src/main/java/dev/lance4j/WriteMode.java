package dev.lance4j;

/** What a write does with the table that is there. */
public enum WriteMode {
  /** Makes a new table; one that is there already is an error. */
  CREATE,
  /** Adds rows to the table, or makes it when there is none. */
  APPEND,
  /** Replaces schema and rows, keeping earlier versions; makes the table when there is none. */
  OVERWRITE
}
