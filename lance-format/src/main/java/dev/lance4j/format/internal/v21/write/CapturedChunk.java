package dev.lance4j.format.internal.v21.write;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Keeps the buffers of a chunk, so that they can be encoded further. */
final class CapturedChunk implements ChunkSink {
  private final List<ByteBuffer> buffers = new ArrayList<>();
  private ByteBuffer next = Buffers.heap(0);

  @Override
  public ByteBuffer room(long bytes) {
    next = Buffers.heap(bytes);
    return next;
  }

  @Override
  public int at() {
    return 0;
  }

  @Override
  public void endValues(int bytes) {
    buffers.add(Buffers.slice(next, 0, bytes));
  }

  /** The buffers in order. */
  List<ByteBuffer> buffers() {
    return buffers;
  }
}
