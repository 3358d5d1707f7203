package dev.lance4j.write;

import java.util.Optional;

/**
 * What a merge does with a row of the table whose key no row of the source has.
 *
 * @param deletes whether the row goes away
 * @param condition of a deletion about the row; rows for which it is not true stay
 */
public record WhenNotMatchedBySource(boolean deletes, Optional<String> condition) {
  /** The row stays. */
  public static WhenNotMatchedBySource keep() {
    return new WhenNotMatchedBySource(false, Optional.empty());
  }

  /** The row goes away. */
  public static WhenNotMatchedBySource delete() {
    return new WhenNotMatchedBySource(true, Optional.empty());
  }

  /**
   * The row goes away if a condition is true, not false or null.
   *
   * @param condition about the table's columns, without prefix, such as {@code region = 7}
   */
  public static WhenNotMatchedBySource deleteIf(String condition) {
    return new WhenNotMatchedBySource(true, Optional.of(condition));
  }
}
