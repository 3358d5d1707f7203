package dev.lance4j.format.internal.v21.write;

import java.nio.ByteBuffer;

/**
 * The chunk data of a mini-block page. Each chunk has a header with the sizes of its buffers, which
 * is filled in as the buffers are added.
 */
final class ChunkWriter implements ChunkSink {
  static final int ALIGNMENT = 8;
  static final byte PADDING = (byte) 0xFE;

  private final PageOutput out;
  private final boolean large;
  private int begin;
  private int nextSize;

  /**
   * @param large whether sizes of value buffers take 4 bytes
   */
  ChunkWriter(PageOutput out, boolean large) {
    this.out = out;
    this.large = large;
  }

  /** The size of a chunk's header. */
  static int headerBytes(int levelBuffers, int valueBuffers, boolean large) {
    int bytes = Short.BYTES * (1 + levelBuffers) + (large ? 4 : 2) * valueBuffers;
    return (int) ValueChunks.padded(bytes);
  }

  /** Begins a chunk of so many entries, 0 when the page has no levels. */
  void begin(int entries, int headerBytes) {
    begin = out.size();
    ByteBuffer header = out.room(headerBytes);
    for (int i = 0; i < headerBytes; i++) {
      header.put(begin + i, PADDING);
    }
    header.putShort(begin, (short) entries);
    nextSize = begin + Short.BYTES;
    out.advance(headerBytes);
  }

  @Override
  public ByteBuffer room(long bytes) {
    return out.room(bytes);
  }

  @Override
  public int at() {
    return out.size();
  }

  /** Ends a buffer of levels, whose bytes were put. */
  void endLevels(int bytes) {
    out.room(0).putShort(nextSize, (short) bytes);
    nextSize += Short.BYTES;
    pad(bytes);
  }

  @Override
  public void endValues(int bytes) {
    if (large) {
      out.room(0).putInt(nextSize, bytes);
      nextSize += Integer.BYTES;
    } else {
      out.room(0).putShort(nextSize, (short) bytes);
      nextSize += Short.BYTES;
    }
    pad(bytes);
  }

  private void pad(int bytes) {
    out.advance(bytes);
    out.pad(ALIGNMENT, PADDING);
  }

  /** Ends a chunk and returns its size. */
  int end() {
    return out.size() - begin;
  }
}
