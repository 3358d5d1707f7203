package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;

/**
 * Decodes rows of one width that a full-zip page stores back to back. Stateless. Bytes that make no
 * sense give an {@link IllegalArgumentException}.
 */
public interface ZipRowCodec {
  /**
   * Decodes some rows.
   *
   * @param rows the values of the rows without control words between them
   * @param count the number of rows
   * @param lasting whether the bytes are those of the file
   */
  Block decode(ByteBuffer rows, int count, boolean lasting);
}
