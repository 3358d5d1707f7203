package dev.lance4j.format.internal.page;

import java.nio.ByteBuffer;

/** Where a writer puts the buffers of its pages. */
public interface BufferSink {
  /**
   * Appends one buffer made of parts, then padding to the next multiple of 64 bytes.
   *
   * @param parts the remaining bytes of each, in order
   * @return the absolute position of the buffer in the file, a multiple of 64
   */
  long write(ByteBuffer... parts);
}
