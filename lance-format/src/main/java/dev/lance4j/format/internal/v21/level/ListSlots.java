package dev.lance4j.format.internal.v21.level;

import org.apache.arrow.memory.ArrowBuf;

/**
 * The lists of one layer.
 *
 * @param validity which of them are null
 * @param offsets where each begins in the items, and the end; null when there are no lists
 */
public record ListSlots(Validity validity, ArrowBuf offsets) implements AutoCloseable {
  @Override
  public void close() {
    validity.close();
    if (offsets != null) {
      offsets.close();
    }
  }
}
