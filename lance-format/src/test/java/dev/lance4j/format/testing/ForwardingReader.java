package dev.lance4j.format.testing;

import dev.lance4j.format.store.ByteRange;
import dev.lance4j.format.store.ObjectReader;
import java.nio.ByteBuffer;
import java.util.List;

/** Hands every call on to another reader. */
abstract class ForwardingReader implements ObjectReader {
  final ObjectReader reader;

  ForwardingReader(ObjectReader reader) {
    this.reader = reader;
  }

  @Override
  public String path() {
    return reader.path();
  }

  @Override
  public long size() {
    return reader.size();
  }

  @Override
  public ByteBuffer read(long offset, int length) {
    return reader.read(offset, length);
  }

  @Override
  public List<ByteBuffer> read(List<ByteRange> ranges) {
    return reader.read(ranges);
  }

  @Override
  public void close() {
    reader.close();
  }
}
