package dev.lance4j.format.internal.v20;

import dev.lance4j.format.UnsupportedFormatException;

/** What one Arrow array or buffer can hold. */
final class ReadLimits {
  private ReadLimits() {}

  /**
   * The count as an int.
   *
   * @throws UnsupportedFormatException if it is too large for one array
   */
  static int count(long valuesOrBytes) {
    if (valuesOrBytes > Integer.MAX_VALUE) {
      throw new UnsupportedFormatException(
          "One read of a column would give "
              + valuesOrBytes
              + " values or bytes, more than one array holds; read fewer rows at a time");
    }
    return (int) valuesOrBytes;
  }
}
