package dev.lance4j.format.testing;

/** Which rows of a column are null. */
public enum NullPattern {
  NONE,
  SOME,
  ONLY
}
