package dev.lance4j.table.internal;

import dev.lance4j.format.CorruptFileException;

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
   * A path relative to a directory of the table.
   *
   * @throws CorruptFileException if it leads out of there
   */
  static String inside(String relative, String path, String what) {
    boolean leaves = relative.isEmpty() || relative.startsWith("/") || relative.indexOf('\\') >= 0;
    for (String segment : relative.split("/", -1)) {
      leaves |= segment.equals("..");
    }
    if (leaves) {
      throw new CorruptFileException(
          path, -1, what + " has the path '" + relative + "', which leaves its directory");
    }
    return relative;
  }
}
