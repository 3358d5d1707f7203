package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.InvalidInputException;
import org.apache.arrow.memory.ArrowBuf;

/** The offsets of an Arrow array of lists, strings or binary values. */
final class Offsets {
  private final ArrowBuf buffer;
  private final boolean wide;

  /**
   * @param buffer absent when the array is empty
   * @param wide whether an offset takes 8 bytes instead of 4
   */
  Offsets(ArrowBuf buffer, boolean wide) {
    this.buffer = buffer;
    this.wide = wide;
  }

  /** Where value {@code i} begins and value {@code i - 1} ends. */
  long get(int i) {
    return wide ? buffer.getLong(8L * i) : buffer.getInt(4L * i);
  }

  /** The distance between two offsets; 0 in an empty array. */
  long distance(int from, int to) {
    return from == to ? 0 : get(to) - get(from);
  }

  /**
   * Checks that offsets ascend and stay inside what they point into.
   *
   * @param length the number of values
   * @param limit the number of items or bytes that there are
   */
  void check(int length, long limit, String path) {
    if (length == 0) {
      return;
    }
    long needed = (length + 1L) * (wide ? 8 : 4);
    if (buffer == null || buffer.capacity() < needed) {
      throw new InvalidInputException(
          "Field '" + path + "' needs " + needed + " bytes of offsets for " + length + " values");
    }
    long last = get(0);
    if (last < 0) {
      throw new InvalidInputException("Field '" + path + "' has a negative offset: " + last);
    }
    for (int i = 1; i <= length; i++) {
      long next = get(i);
      if (next < last) {
        throw new InvalidInputException(
            "Field '" + path + "' has descending offsets at value " + (i - 1));
      }
      last = next;
    }
    if (last > limit) {
      throw new InvalidInputException(
          "Field '" + path + "' has offsets up to " + last + " but only " + limit + " to point at");
    }
  }
}
