package dev.lance4j.format.store;

import java.nio.ByteBuffer;

/**
 * An object being written. It appears under its path, whole, when {@link #commit} returns, and not
 * at all when the writer is closed before. Not safe for use by many threads.
 */
public interface ObjectWriter extends AutoCloseable {
  /** The path that the object will have. */
  String path();

  /** The number of bytes written so far. */
  long position();

  /**
   * Appends the buffer's remaining bytes.
   *
   * @throws java.io.UncheckedIOException if writing fails
   */
  void write(ByteBuffer bytes);

  /**
   * Makes the object visible.
   *
   * @throws java.io.UncheckedIOException if writing fails; the object is then not there
   */
  void commit();

  /** Discards what was written unless {@link #commit} was called. */
  @Override
  void close();
}
