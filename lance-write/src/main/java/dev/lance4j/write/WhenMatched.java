package dev.lance4j.write;

import java.util.Optional;

/**
 * What a merge does with a row of the table whose key a row of the source has.
 *
 * @param action what is done
 * @param condition of an update about both rows, whose columns are written {@code source.x} and
 *     {@code target.x}; rows for which it is not true stay as they are
 */
public record WhenMatched(Action action, Optional<String> condition) {
  /** What can be done. */
  public enum Action {
    /** The row gets the source's values. */
    UPDATE,
    /** The row stays as it is. */
    DO_NOTHING,
    /** The merge fails. */
    FAIL,
    /** The row goes away. */
    DELETE
  }

  /** The row gets the values of all columns of the source; other columns stay as they are. */
  public static WhenMatched updateAll() {
    return new WhenMatched(Action.UPDATE, Optional.empty());
  }

  /**
   * As above, if a condition is true, not false or null.
   *
   * @param condition such as {@code source.v > target.v}
   */
  public static WhenMatched updateIf(String condition) {
    return new WhenMatched(Action.UPDATE, Optional.of(condition));
  }

  /** The row stays as it is. */
  public static WhenMatched doNothing() {
    return new WhenMatched(Action.DO_NOTHING, Optional.empty());
  }

  /** The merge fails with an error that names the key, and changes nothing. */
  public static WhenMatched fail() {
    return new WhenMatched(Action.FAIL, Optional.empty());
  }

  /** The row goes away; of the source the key columns are enough. */
  public static WhenMatched delete() {
    return new WhenMatched(Action.DELETE, Optional.empty());
  }
}
