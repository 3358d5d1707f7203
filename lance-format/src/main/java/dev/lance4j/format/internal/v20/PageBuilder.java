package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.page.BufferSink;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** One page in the making: numbers its buffers, then writes them. */
final class PageBuilder {
  private final List<ByteBuffer> buffers = new ArrayList<>();

  /**
   * Adds a buffer.
   *
   * @param bytes the remaining ones, borrowed until {@link #write}
   * @return its index in the page
   */
  int add(ByteBuffer bytes) {
    buffers.add(bytes);
    return buffers.size() - 1;
  }

  /** Writes the buffers in the order of their indices; the page's metadata is returned. */
  ColumnMetadata.Page write(BufferSink sink, long rows, ArrayEncoding encoding) {
    ColumnMetadata.Page.Builder page = ColumnMetadata.Page.newBuilder();
    for (ByteBuffer buffer : buffers) {
      page.addBufferSizes(buffer.remaining());
      page.addBufferOffsets(sink.write(buffer));
    }
    return page.setLength(rows).setEncoding(Encodings.page(encoding)).build();
  }
}
