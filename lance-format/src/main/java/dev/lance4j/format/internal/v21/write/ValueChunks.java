package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.proto.encodings21.CompressiveEncoding;

/** Encodes the values of a mini-block page chunk by chunk. */
interface ValueChunks {
  /** The most values in a chunk. */
  int MAX_VALUES = 4096;

  /** The most bytes of values that a chunk should have. */
  int TARGET_BYTES = 8186;

  CompressiveEncoding encoding();

  /** The number of buffers that a chunk has. */
  int buffers();

  /** The number of values in the page. */
  int count();

  /**
   * How many values the chunk that begins at {@code from} should have: all that are left, or a
   * power of two from 2 to {@link #MAX_VALUES}.
   */
  int propose(int from);

  /** Whether a chunk may have a smaller power of two of values than was proposed. */
  default boolean divisible() {
    return true;
  }

  /** The most bytes that the buffers of a chunk take, each padded to 8. */
  long maxBytes(int from, int count);

  /** Adds a chunk's buffers, in order. */
  void write(int from, int count, ChunkSink out);

  /** The size of a buffer with its padding. */
  static long padded(long bytes) {
    return bytes + 7 & ~7L;
  }
}
