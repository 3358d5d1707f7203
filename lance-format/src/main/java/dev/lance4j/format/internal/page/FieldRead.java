package dev.lance4j.format.internal.page;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.io.RangeRequests;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A read of some rows of one field, in rounds: each call of {@link #request} uses what the round
 * before delivered to ask for more, until everything is there and {@link #decode} can run without
 * IO. Used by one thread at a time.
 */
public interface FieldRead {
  /**
   * Asks for the next bytes.
   *
   * @return whether anything was asked for; false means that {@link #decode} may be called
   */
  boolean request(RangeRequests requests);

  /**
   * Decodes the rows. Called once.
   *
   * @param allocator where the buffers come from
   * @return the rows in order, owned by the caller
   * @throws dev.lance4j.format.CorruptFileException if the bytes make no sense
   */
  ArrayData decode(BufferAllocator allocator);
}
