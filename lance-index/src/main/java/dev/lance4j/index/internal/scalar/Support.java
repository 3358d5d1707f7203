package dev.lance4j.index.internal.scalar;

/** What a kind of index can say to a query. */
public enum Support {
  /** Nothing. */
  NONE,
  /** Which rows may match; they must be checked. */
  CANDIDATES,
  /** Which rows match. */
  EXACT
}
