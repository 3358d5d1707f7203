package dev.lance4j.scan;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.scan.internal.BlobLocation;
import dev.lance4j.table.Session;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;

/**
 * A value of a blob column, of which only those bytes are read that are asked for. Keeps the object
 * that it is in open until it is closed. Reading is safe for many threads.
 */
public final class Blob implements AutoCloseable {
  private final Session.Lease<ObjectReader> object;
  private final long start;
  private final long size;
  private volatile boolean closed;

  /**
   * @param location taken over
   */
  Blob(BlobLocation location) {
    this.object = location.object();
    this.start = location.start();
    this.size = location.size();
  }

  /** The number of bytes. */
  public long size() {
    return size;
  }

  /**
   * All bytes.
   *
   * @throws InvalidInputException if they do not fit into an array
   */
  public byte[] read() {
    if (size > Integer.MAX_VALUE) {
      throw new InvalidInputException(
          "A blob of " + size + " bytes does not fit into an array; read it by ranges");
    }
    return read(0, (int) size);
  }

  /**
   * Some of the bytes.
   *
   * @param offset of the first one
   * @param length how many
   * @throws InvalidInputException if they are not all inside the blob
   * @throws java.io.UncheckedIOException if reading fails
   */
  public byte[] read(long offset, int length) {
    if (offset < 0 || length < 0 || offset > size - length) {
      throw new InvalidInputException(
          length + " bytes from " + offset + " on are not inside a blob of " + size);
    }
    byte[] bytes = new byte[length];
    readObject(offset, length).get(bytes);
    return bytes;
  }

  /**
   * Fills a buffer as far as there are bytes.
   *
   * @param offset of the first byte
   * @return how many bytes were read, or -1 if there are none from the offset on
   * @throws InvalidInputException if the offset is negative
   * @throws java.io.UncheckedIOException if reading fails
   */
  public int read(long offset, ByteBuffer into) {
    if (offset < 0) {
      throw new InvalidInputException("The offset must not be negative, but is " + offset);
    }
    if (offset >= size) {
      return -1;
    }
    int length = (int) Math.min(into.remaining(), size - offset);
    into.put(readObject(offset, length));
    return length;
  }

  private ByteBuffer readObject(long offset, int length) {
    if (closed) {
      throw new IllegalStateException("the blob is closed");
    }
    return length == 0 ? ByteBuffer.allocate(0) : object.value().read(start + offset, length);
  }

  /** Starts reading at the first byte. Each read asks the store for what is read, and no more. */
  public SeekableByteChannel openChannel() {
    return new BlobChannel(this);
  }

  /** As {@link #openChannel}, as a stream; closing it leaves the blob open. */
  public InputStream openStream() {
    return Channels.newInputStream(openChannel());
  }

  /** Lets go of the object. May be called more than once, by one thread at a time. */
  @Override
  public void close() {
    closed = true;
    object.close();
  }
}
