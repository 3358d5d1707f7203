package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.proto.encodings21.CompressiveEncoding;

/** Strings coded with a table of frequent pieces, which the whole page shares. */
final class FsstChunks implements ValueChunks {
  private final VariableChunks coded;
  private final CompressiveEncoding encoding;

  FsstChunks(FsstBlock block, int target) {
    this.coded = new VariableChunks(block.coded(), target);
    this.encoding = block.encoding();
  }

  @Override
  public CompressiveEncoding encoding() {
    return encoding;
  }

  @Override
  public int buffers() {
    return coded.buffers();
  }

  @Override
  public int count() {
    return coded.count();
  }

  @Override
  public int propose(int from) {
    return coded.propose(from);
  }

  @Override
  public long maxBytes(int from, int count) {
    return coded.maxBytes(from, count);
  }

  @Override
  public void write(int from, int count, ChunkSink out) {
    coded.write(from, count, out);
  }
}
