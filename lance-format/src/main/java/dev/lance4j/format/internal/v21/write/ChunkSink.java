package dev.lance4j.format.internal.v21.write;

import java.nio.ByteBuffer;

/** Takes the value buffers of a chunk, one after the other. */
interface ChunkSink {
  /** The memory to put the next buffer into, at {@link #at}; asked for once for each buffer. */
  ByteBuffer room(long bytes);

  /** Where the next buffer begins. */
  int at();

  /** Ends a buffer, whose bytes were put. */
  void endValues(int bytes);

  /** Adds a buffer. */
  default void values(ByteBuffer from, int offset, int length) {
    room(length).put(at(), from, offset, length);
    endValues(length);
  }
}
