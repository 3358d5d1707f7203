package dev.lance4j.format.testing;

import dev.lance4j.format.store.ObjectWriter;
import java.nio.ByteBuffer;

/** Hands every call on to another writer. */
abstract class ForwardingWriter implements ObjectWriter {
  final ObjectWriter writer;

  ForwardingWriter(ObjectWriter writer) {
    this.writer = writer;
  }

  @Override
  public String path() {
    return writer.path();
  }

  @Override
  public long position() {
    return writer.position();
  }

  @Override
  public void write(ByteBuffer bytes) {
    writer.write(bytes);
  }

  @Override
  public void commit() {
    writer.commit();
  }

  @Override
  public void close() {
    writer.close();
  }
}
