package dev.lance4j.format.internal.v21.level;

import org.apache.arrow.memory.ArrowBuf;

/**
 * The nulls of one layer.
 *
 * @param length the number of slots
 * @param nulls how many of them are null
 * @param bits one bit for each slot, set when valid; null when there are no nulls
 */
public record Validity(int length, int nulls, ArrowBuf bits) implements AutoCloseable {
  @Override
  public void close() {
    if (bits != null) {
      bits.close();
    }
  }
}
