package dev.lance4j.format.internal.v21.layout;

import dev.lance4j.format.internal.io.RangeRequests;

/**
 * A read of some rows of one page, in rounds. Malformed bytes give a {@link
 * dev.lance4j.format.CorruptFileException} or one of the exceptions that {@link Guard} turns into
 * it.
 */
public interface PageRead {
  /**
   * Asks for the next bytes.
   *
   * @return whether anything was asked for; false means that {@link #decode} may be called
   */
  boolean request(RangeRequests requests);

  /** Appends the rows, in order. Called once. */
  void decode(LeafSink sink);
}
