package dev.lance4j.index.internal.query;

/** What the rows of an answer are. */
public enum Guarantee {
  /** All rows for which the condition is true and no others. */
  EXACT,
  /** All rows for which it is true, and perhaps others, which must be checked. */
  AT_MOST,
  /** Only rows for which it is true, but perhaps not all of them. */
  AT_LEAST
}
