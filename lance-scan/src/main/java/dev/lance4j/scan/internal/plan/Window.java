package dev.lance4j.scan.internal.plan;

/**
 * Which of the rows in order are wanted.
 *
 * @param offset rows to pass over first
 * @param limit the most rows to give after that
 */
public record Window(long offset, long limit) {
  /** All rows. */
  public static final Window ALL = new Window(0, Long.MAX_VALUE);

  /** The number of rows from the first on that hold all that are wanted. */
  public long end() {
    long end = offset + limit;
    return end < 0 ? Long.MAX_VALUE : end;
  }

  /** How many of some rows are wanted. */
  public long count(long rows) {
    return Math.max(0, Math.min(rows - offset, limit));
  }

  boolean isAll() {
    return equals(ALL);
  }
}
