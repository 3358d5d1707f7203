package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.proto.encodings21.PageLayout;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A page ready to be written.
 *
 * @param layout its description
 * @param buffers the bytes of each of its buffers
 * @param memory what the buffers lie in and is freed with the page
 */
record EncodedPage(PageLayout layout, List<ByteBuffer> buffers, List<PageOutput> memory)
    implements AutoCloseable {
  @Override
  public void close() {
    memory.forEach(PageOutput::close);
  }
}
