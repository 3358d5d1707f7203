package dev.lance4j.format.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * A local file that is open for reading. Interrupting a thread that reads closes the channel that
 * it reads from; the file is opened again then, so that other threads do not notice. Safe for use
 * by many threads.
 */
final class LocalFile implements AutoCloseable {
  private final Path path;
  private final long size;
  private final Object key;
  private volatile FileChannel channel;
  private boolean writable = true;
  private boolean closed;

  /**
   * Opens a file.
   *
   * @throws NoSuchFileException if there is none, or it is a directory
   */
  LocalFile(Path path) throws IOException {
    this.path = path;
    this.channel = openChannel();
    try {
      this.size = channel.size();
      this.key = key();
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private FileChannel openChannel() throws IOException {
    if (!writable) {
      return FileChannel.open(path, StandardOpenOption.READ);
    }
    try {
      return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } catch (NoSuchFileException e) {
      throw e;
    } catch (AccessDeniedException e) {
      writable = false;
    } catch (FileSystemException e) {
      if (Files.isDirectory(path)) {
        throw new NoSuchFileException(path.toString());
      }
      writable = false;
    }
    return FileChannel.open(path, StandardOpenOption.READ);
  }

  private Object key() throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  /** The size when the file was opened, in bytes. */
  long size() {
    return size;
  }

  /** Fills the rest of a buffer with the bytes from a position on. */
  void read(ByteBuffer target, long position) throws IOException {
    int start = target.position();
    retry(
        open -> {
          while (target.hasRemaining()) {
            int n = open.read(target, position + target.position() - start);
            if (n < 0) {
              throw new EOFException(path + " ends before byte " + (position + target.limit()));
            }
          }
          return null;
        });
  }

  /**
   * Maps a part of the file: privately (copy on write) if it may be written to, else for reading.
   */
  ByteBuffer map(long position, long length) throws IOException {
    return retry(
        open ->
            open.map(writable ? MapMode.PRIVATE : MapMode.READ_ONLY, position, length)
                .order(ByteOrder.LITTLE_ENDIAN));
  }

  private interface Work<T> {
    T run(FileChannel channel) throws IOException;
  }

  private <T> T retry(Work<T> work) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        FileChannel open = channel;
        try {
          return work.run(open);
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
          interrupted |= reopen(open, e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Opens the file again unless another thread did; whether this one was interrupted meanwhile. */
  private synchronized boolean reopen(FileChannel before, ClosedChannelException cause)
      throws IOException {
    boolean interrupted = false;
    while (channel == before) {
      if (closed) {
        throw cause;
      }
      FileChannel again = openChannel();
      try {
        if (again.size() != size || !Objects.equals(key(), key)) {
          throw new IOException(path + " was replaced while it was read", cause);
        }
        channel = again;
      } catch (ClosedChannelException e) {
        interrupted |= Thread.interrupted();
      } finally {
        if (channel != again) {
          again.close();
        }
      }
    }
    return interrupted;
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    channel.close();
  }
}
