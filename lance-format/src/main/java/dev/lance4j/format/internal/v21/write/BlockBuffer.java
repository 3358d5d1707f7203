package dev.lance4j.format.internal.v21.write;

/** Gathers the values of batches until a page is written. */
interface BlockBuffer extends AutoCloseable {
  /** Whether a block can be added to what is there. */
  default boolean accepts(LeafBlock block) {
    return true;
  }

  /** Copies the values of a block of the buffer's type. */
  void append(LeafBlock block);

  /** What was gathered; valid until the next change. */
  LeafBlock view();

  /** Forgets what was gathered. */
  void clear();

  @Override
  void close();
}
