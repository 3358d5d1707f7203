package dev.lance4j.format.store;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Reads a local file through memory maps, made when first needed, one for each window of 1 GiB.
 * Small files are read into memory instead, where a map costs more than it saves.
 *
 * <p>Maps are private (copy on write) where the file may be opened for writing: what is decoded
 * without a copy may then be written to by its owner, and nothing reaches the file. Elsewhere maps
 * are read only, and {@link ByteBuffer#isReadOnly} says so.
 */
final class LocalObjectReader implements ObjectReader {
  private static final int SMALL_FILE = 64 << 10;
  private static final int WINDOW_BITS = 30;
  private static final long WINDOW = 1L << WINDOW_BITS;

  private final String path;
  private final FileChannel channel;
  private final boolean writable;
  private final long size;
  private final ByteBuffer small;
  private final AtomicReferenceArray<ByteBuffer> windows;

  private LocalObjectReader(String path, FileChannel channel, boolean writable) throws IOException {
    this.path = path;
    this.channel = channel;
    this.writable = writable;
    this.size = channel.size();
    this.small = size <= SMALL_FILE ? readFully(0, (int) size) : null;
    this.windows = new AtomicReferenceArray<>((int) ((size + WINDOW - 1) >>> WINDOW_BITS));
  }

  static LocalObjectReader open(String path) {
    Path file = Path.of(path);
    try {
      FileChannel channel;
      boolean writable = true;
      try {
        channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      } catch (NoSuchFileException e) {
        throw e;
      } catch (AccessDeniedException e) {
        channel = FileChannel.open(file, StandardOpenOption.READ);
        writable = false;
      } catch (FileSystemException e) {
        if (Files.isDirectory(file)) {
          throw new NoSuchFileException(path);
        }
        channel = FileChannel.open(file, StandardOpenOption.READ);
        writable = false;
      }
      try {
        return new LocalObjectReader(path, channel, writable);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (NoSuchFileException e) {
      throw new ObjectNotFoundException(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public ByteBuffer read(long offset, int length) {
    Objects.checkFromIndexSize(offset, length, size);
    if (small != null) {
      return slice(small, (int) offset, length);
    }
    int window = (int) (offset >>> WINDOW_BITS);
    long start = (long) window << WINDOW_BITS;
    try {
      if (length == 0) {
        return ByteBuffer.allocate(0).order(ByteOrder.LITTLE_ENDIAN);
      }
      if (offset + length > start + WINDOW) {
        return readFully(offset, length);
      }
      return slice(window(window), (int) (offset - start), length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ByteBuffer slice(ByteBuffer buffer, int offset, int length) {
    return buffer.slice(offset, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private ByteBuffer window(int index) throws IOException {
    ByteBuffer mapped = windows.get(index);
    if (mapped == null) {
      long start = (long) index << WINDOW_BITS;
      MapMode mode = writable ? MapMode.PRIVATE : MapMode.READ_ONLY;
      mapped = channel.map(mode, start, Math.min(WINDOW, size - start));
      if (!windows.compareAndSet(index, null, mapped)) {
        mapped = windows.get(index);
      }
    }
    return mapped;
  }

  private ByteBuffer readFully(long offset, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      int n = channel.read(buffer, offset + buffer.position());
      if (n < 0) {
        throw new EOFException(path + " ends before byte " + (offset + length));
      }
    }
    return buffer.flip();
  }

  @Override
  public List<ByteBuffer> read(List<ByteRange> ranges) {
    List<ByteBuffer> buffers = new ArrayList<>(ranges.size());
    for (ByteRange range : ranges) {
      buffers.add(read(range.offset(), range.length()));
    }
    return buffers;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
