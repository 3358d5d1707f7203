package dev.lance4j.table.internal;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import java.util.UUID;

/** Checks of what metadata says. */
final class Checks {
  private Checks() {}

  /** The value of a field that holds a number below 2<sup>63</sup>. */
  static long nonNegative(long value, String path, String what) {
    if (value < 0) {
      throw new CorruptFileException(
          path, -1, what + " is " + Long.toUnsignedString(value) + ", which is too large");
    }
    return value;
  }

  /**
   * Requires that a transaction can be told apart from others, and its file be named after it.
   *
   * @throws InvalidInputException if the text is not a hyphenated UUID
   */
  static void requireUuid(String text) {
    try {
      if (UUID.fromString(text).toString().equals(text)) {
        return;
      }
    } catch (IllegalArgumentException e) {
      // Said below, as for text of which only a part is a UUID.
    }
    throw new InvalidInputException(
        "The transaction's uuid is '" + text + "', which is not a hyphenated UUID in lower case");
  }

  /**
   * A path relative to a directory of the table.
   *
   * @throws CorruptFileException if it leads out of there
   */
  static String inside(String relative, String path, String what) {
    boolean leaves = relative.isEmpty() || relative.startsWith("/") || relative.indexOf('\\') >= 0;
    if (leaves || (relative.contains("..") && ("/" + relative + "/").contains("/../"))) {
      throw new CorruptFileException(
          path, -1, what + " has the path '" + relative + "', which leaves its directory");
    }
    return relative;
  }
}
