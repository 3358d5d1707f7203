package dev.lance4j.format.store;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * An open object. Safe for use by many threads.
 *
 * <p>Buffers that it returns are little-endian, start at position 0, must not be written to, and
 * stay valid after the reader is closed for as long as they are reachable.
 */
public interface ObjectReader extends AutoCloseable {
  /** The object's path in its store. */
  String path();

  /** The object's size in bytes. */
  long size();

  /**
   * Reads one range.
   *
   * @param offset first byte
   * @param length number of bytes; the range must lie inside the object
   * @throws IndexOutOfBoundsException if the range is not inside the object
   * @throws java.io.UncheckedIOException if reading fails
   */
  ByteBuffer read(long offset, int length);

  /**
   * Reads many ranges, in the order given. A store for which requests are expensive joins
   * neighbours and asks for several at once.
   *
   * @throws IndexOutOfBoundsException if a range is not inside the object
   * @throws java.io.UncheckedIOException if reading fails
   */
  List<ByteBuffer> read(List<ByteRange> ranges);

  @Override
  void close();
}
