package dev.lance4j.compaction;

import dev.lance4j.format.InvalidInputException;
import java.io.Serializable;

/**
 * Fragments of consecutive ids.
 *
 * @param first the lowest id
 * @param last the highest id
 */
public record IdRange(long first, long last) implements Serializable {
  public IdRange {
    if (first < 0 || last < first) {
      throw new InvalidInputException("There are no fragments from " + first + " to " + last);
    }
  }

  /** The number of ids. */
  public long count() {
    return last - first + 1;
  }

  @Override
  public String toString() {
    return first == last ? Long.toString(first) : first + "-" + last;
  }
}
