package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import java.nio.ByteBuffer;

/** Values that wait to become a page, or a part of one. */
interface PageValues extends AutoCloseable {
  /**
   * Copies rows.
   *
   * @param rows borrowed
   * @param validity a bit for each row of {@code rows}, 1 where it is valid; null when all are
   * @param ranges of the rows to take, inside {@code rows}
   */
  void append(ArrayData rows, ByteBuffer validity, RowRanges ranges);

  /** Roughly the bytes that {@link #append} would add. */
  long bytesOf(ArrayData rows, RowRanges ranges);

  /** Whether rows may join those that wait; if not, a new page must start. */
  default boolean fits(ArrayData rows) {
    return true;
  }

  /** Roughly the bytes that wait. */
  long bytes();

  /**
   * Adds the buffers to a page.
   *
   * @return how they are encoded
   */
  ArrayEncoding encode(PageBuilder page);

  /** Forgets the values, once their page is written. */
  void clear();

  /** Frees memory. */
  @Override
  void close();
}
