package dev.lance4j.write;

/**
 * What a merge does with a row of the source whose key no row of the table has.
 *
 * @param inserts whether the row is added
 */
public record WhenNotMatched(boolean inserts) {
  /** The row is added; columns that the source lacks are null. */
  public static WhenNotMatched insertAll() {
    return new WhenNotMatched(true);
  }

  /** The row is left out. */
  public static WhenNotMatched doNothing() {
    return new WhenNotMatched(false);
  }
}
