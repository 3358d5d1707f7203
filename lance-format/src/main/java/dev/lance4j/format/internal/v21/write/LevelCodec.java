package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import java.nio.ByteBuffer;

/** Encodes the repetition or the definition of a page in blocks of entries. */
interface LevelCodec {
  CompressiveEncoding encoding();

  /** The most bytes that the entries from {@code from} to {@code to} take. */
  int maxBytes(int from, int to);

  /**
   * Encodes the entries from {@code from} to {@code to}.
   *
   * @param out has room for {@link #maxBytes} at {@code at}
   * @return the number of bytes written
   */
  int write(int from, int to, ByteBuffer out, int at);
}
