package dev.lance4j.scan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/** Reads a blob from a position on that moves. For use by one thread. */
final class BlobChannel implements SeekableByteChannel {
  private final Blob blob;
  private long position;
  private boolean closed;

  BlobChannel(Blob blob) {
    this.blob = blob;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    requireOpen();
    try {
      int read = blob.read(position, into);
      position += Math.max(0, read);
      return read;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public int write(ByteBuffer from) {
    throw new NonWritableChannelException();
  }

  @Override
  public SeekableByteChannel truncate(long newSize) {
    throw new NonWritableChannelException();
  }

  @Override
  public long position() throws IOException {
    requireOpen();
    return position;
  }

  @Override
  public SeekableByteChannel position(long newPosition) throws IOException {
    requireOpen();
    if (newPosition < 0) {
      throw new IllegalArgumentException("a negative position: " + newPosition);
    }
    position = newPosition;
    return this;
  }

  @Override
  public long size() throws IOException {
    requireOpen();
    return blob.size();
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public void close() {
    closed = true;
  }

  private void requireOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }
}
