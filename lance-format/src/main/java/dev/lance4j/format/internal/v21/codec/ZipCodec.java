package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;

/**
 * Decodes values of any length that a full-zip page stores one by one. Stateless. Bytes that make
 * no sense give an {@link IllegalArgumentException}.
 */
public interface ZipCodec {
  /** Stands for the length of a value that is null and has no bytes. */
  int NULL = -1;

  /**
   * Decodes some values.
   *
   * @param in the bytes of the page
   * @param starts where each value begins
   * @param lengths the stored length of each, or {@link #NULL}; all lie inside the bytes
   * @param count the number of values
   */
  Block decode(ByteBuffer in, int[] starts, int[] lengths, int count);
}
