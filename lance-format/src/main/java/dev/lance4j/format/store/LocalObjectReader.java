package dev.lance4j.format.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Reads a local file through memory maps, made when first needed, one for each window of 1 GiB.
 * Small files are read into memory instead, where a map costs more than it saves, and so are small
 * ranges of parts of a file that nobody has read much of yet: at the first access the system enters
 * the surroundings of a page into the process, which takes longer than to read a small range.
 *
 * <p>Maps are private (copy on write) where the file may be opened for writing: what is decoded
 * without a copy may then be written to by its owner, and nothing reaches the file. Elsewhere maps
 * are read only, and {@link ByteBuffer#isReadOnly} says so.
 */
final class LocalObjectReader implements ObjectReader {
  private static final int SMALL_FILE = 64 << 10;
  private static final int SMALL_RANGE = 16 << 10;
  private static final int WINDOW_BITS = 30;
  private static final long WINDOW = 1L << WINDOW_BITS;

  /** What the system enters at once is a block of 64 KiB at most. */
  private static final int BLOCK_BITS = 16;

  /** So many small ranges of a block are read without the map. */
  private static final int FEW_READS = 3;

  /** Ranges keep the alignment that they have in the file. */
  private static final int ALIGNMENT = 8;

  private final String path;
  private final LocalFile file;
  private final long size;
  private final ByteBuffer small;
  private final AtomicReferenceArray<ByteBuffer> windows;

  /** The small reads of each block, up to few; threads may miss those of others. */
  private final byte[] smallReads;

  private LocalObjectReader(String path, LocalFile file) throws IOException {
    this.path = path;
    this.file = file;
    this.size = file.size();
    if (size <= SMALL_FILE) {
      this.small = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
      file.read(small, 0);
      small.flip();
    } else {
      this.small = null;
    }
    this.windows = new AtomicReferenceArray<>((int) ((size + WINDOW - 1) >>> WINDOW_BITS));
    this.smallReads = new byte[small == null ? (int) ((size - 1) >>> BLOCK_BITS) + 1 : 0];
  }

  static LocalObjectReader open(String path) {
    try {
      LocalFile file = new LocalFile(Path.of(path));
      try {
        return new LocalObjectReader(path, file);
      } catch (IOException | RuntimeException e) {
        file.close();
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
    return read(List.of(new ByteRange(offset, length))).get(0);
  }

  @Override
  public List<ByteBuffer> read(List<ByteRange> ranges) {
    ByteBuffer[] buffers = new ByteBuffer[ranges.size()];
    int bytes = 0;
    try {
      for (int i = 0; i < buffers.length; i++) {
        ByteRange range = ranges.get(i);
        Objects.checkFromIndexSize(range.offset(), range.length(), size);
        if (small != null) {
          buffers[i] = slice(small, (int) range.offset(), range.length());
        } else if (!isRarelyRead(range)) {
          buffers[i] = mapped(range.offset(), range.length());
        } else {
          bytes += room(range);
        }
      }
      if (bytes > 0) {
        readMissing(ranges, buffers, bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Arrays.asList(buffers);
  }

  private boolean isRarelyRead(ByteRange range) {
    if (range.length() >= SMALL_RANGE) {
      return false;
    }
    int block = (int) (range.offset() >>> BLOCK_BITS);
    if (smallReads[block] >= FEW_READS) {
      return false;
    }
    smallReads[block]++;
    return true;
  }

  private static int room(ByteRange range) {
    return (range.length() + 2 * ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Fills the places that are still empty. */
  private void readMissing(List<ByteRange> ranges, ByteBuffer[] buffers, int bytes)
      throws IOException {
    ByteBuffer memory = ByteBuffer.allocateDirect(bytes);
    int at = 0;
    for (int i = 0; i < buffers.length; i++) {
      if (buffers[i] == null) {
        ByteRange range = ranges.get(i);
        int start = at + (int) (range.offset() & (ALIGNMENT - 1));
        memory.limit(start + range.length()).position(start);
        file.read(memory, range.offset());
        buffers[i] = slice(memory, start, range.length());
        at += room(range);
      }
    }
  }

  private ByteBuffer mapped(long offset, int length) throws IOException {
    int window = (int) (offset >>> WINDOW_BITS);
    long start = (long) window << WINDOW_BITS;
    if (offset + length <= start + WINDOW) {
      return slice(window(window), (int) (offset - start), length);
    }
    ByteBuffer copy = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    file.read(copy, offset);
    return copy.flip();
  }

  private static ByteBuffer slice(ByteBuffer buffer, int offset, int length) {
    return buffer.slice(offset, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private ByteBuffer window(int index) throws IOException {
    ByteBuffer mapped = windows.get(index);
    if (mapped == null) {
      long start = (long) index << WINDOW_BITS;
      mapped = file.map(start, Math.min(WINDOW, size - start));
      if (!windows.compareAndSet(index, null, mapped)) {
        mapped = windows.get(index);
      }
    }
    return mapped;
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
