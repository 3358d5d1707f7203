package dev.lance4j.format.internal.container;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.proto.file.FileDescriptor;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.schema.SchemaMessages;
import dev.lance4j.format.store.ObjectReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What the tail of a 2.x file says. Column metadata is parsed when first asked for. Safe for use by
 * many threads.
 */
final class FileMetadata {
  private static final int TAIL = 64 << 10;

  private final String path;
  private final long fileSize;
  private final FileVersion version;
  private final FileDescriptor descriptor;
  private final long[] bufferPositions;
  private final long[] bufferSizes;
  private final ByteBuffer columnBytes;
  private final int[] columnStarts;
  private final int[] columnSizes;
  private final AtomicReferenceArray<ColumnInfo> columns;
  private volatile LanceSchema schema;

  private FileMetadata(ObjectReader reader, Footer footer, Tail tail) {
    this.path = reader.path();
    this.fileSize = reader.size();
    this.version = footer.version();
    int buffers = footer.globalBuffers();
    this.bufferPositions = new long[buffers];
    this.bufferSizes = new long[buffers];
    ByteBuffer table =
        tail.bytes(footer.globalBufferTableStart(), (long) buffers * Footer.ENTRY_SIZE);
    for (int i = 0; i < buffers; i++) {
      bufferPositions[i] = table.getLong(i * Footer.ENTRY_SIZE);
      bufferSizes[i] = table.getLong(i * Footer.ENTRY_SIZE + 8);
      checkInside(bufferPositions[i], bufferSizes[i], fileSize, "global buffer " + i);
    }
    if (buffers == 0) {
      throw new UnsupportedFormatException(
          path + " has no global buffers: its schema is kept elsewhere, which is not supported");
    }
    this.descriptor = descriptor(tail.bytes(bufferPositions[0], bufferSizes[0]));
    if (descriptor.getLength() < 0) {
      throw new CorruptFileException(
          path, bufferPositions[0], "the file claims " + descriptor.getLength() + " rows");
    }
    int count = footer.columns();
    this.columnStarts = new int[count];
    this.columnSizes = new int[count];
    this.columns = new AtomicReferenceArray<>(count);
    long metadataStart = footer.columnMetadataStart();
    long metadataSize = footer.columnTableStart() - metadataStart;
    this.columnBytes = tail.bytes(metadataStart, metadataSize);
    long tableSize = (long) count * Footer.ENTRY_SIZE;
    ByteBuffer entries = tail.bytes(footer.globalBufferTableStart() - tableSize, tableSize);
    for (int i = 0; i < count; i++) {
      long start = entries.getLong(i * Footer.ENTRY_SIZE) - metadataStart;
      long size = entries.getLong(i * Footer.ENTRY_SIZE + 8);
      checkInside(start, size, metadataSize, "the metadata of column " + i);
      columnStarts[i] = (int) start;
      columnSizes[i] = (int) size;
    }
  }

  /**
   * Reads the tail of a file that is known not to be of version 0.1.
   *
   * @throws CorruptFileException if it is damaged
   */
  static FileMetadata read(ObjectReader reader) {
    long size = reader.size();
    String path = reader.path();
    if (size < Footer.SIZE) {
      throw new CorruptFileException(
          path, 0, "the file has " + size + " bytes, fewer than a footer's " + Footer.SIZE);
    }
    Tail tail = new Tail(reader, Math.max(0, size - TAIL));
    Footer footer = Footer.parse(tail.bytes, path, size);
    if (footer.columnMetadataStart() < tail.start) {
      tail = new Tail(reader, footer.columnMetadataStart());
    }
    return new FileMetadata(reader, footer, tail);
  }

  /** The end of the file, which usually holds all that is needed to open it. */
  private static final class Tail {
    private final ObjectReader reader;
    private final long start;
    private final ByteBuffer bytes;

    Tail(ObjectReader reader, long start) {
      this.reader = reader;
      this.start = start;
      long length = reader.size() - start;
      if (length > Integer.MAX_VALUE) {
        throw new CorruptFileException(
            reader.path(), start, "the file's metadata would be " + length + " bytes long");
      }
      this.bytes = reader.read(start, (int) length);
    }

    ByteBuffer bytes(long position, long length) {
      if (position >= start) {
        return bytes
            .slice(Math.toIntExact(position - start), Math.toIntExact(length))
            .order(bytes.order());
      }
      return reader.read(position, Math.toIntExact(length));
    }
  }

  private void checkInside(long position, long size, long limit, String what) {
    if (position < 0 || size < 0 || position > limit || size > limit - position) {
      throw new CorruptFileException(
          path,
          -1,
          String.format(
              "%s (%d bytes at %d) is outside its %d bytes", what, size, position, limit));
    }
  }

  private FileDescriptor descriptor(ByteBuffer bytes) {
    try {
      return FileDescriptor.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(path, bufferPositions[0], "unreadable file descriptor", e);
    }
  }

  /** About how many bytes of memory this and what is parsed of it takes. */
  long memoryBytes() {
    return 4L * columnBytes.capacity() + 1024L * columns.length();
  }

  public String path() {
    return path;
  }

  public FileVersion version() {
    return version;
  }

  /** The number of top-level rows. */
  public long rows() {
    return descriptor.getLength();
  }

  /** The schema in the file; a table's manifest may know better names and nullability. */
  public LanceSchema schema() {
    LanceSchema known = schema;
    if (known == null) {
      known =
          SchemaMessages.fromMessages(
              descriptor.getSchema().getFieldsList(),
              descriptor.getSchema().getMetadataMap(),
              path);
      schema = known;
    }
    return known;
  }

  public int globalBufferCount() {
    return bufferPositions.length;
  }

  public long globalBufferPosition(int i) {
    return bufferPositions[i];
  }

  public long globalBufferSize(int i) {
    return bufferSizes[i];
  }

  public int columnCount() {
    return columns.length();
  }

  /** The metadata of a column. */
  public ColumnInfo column(int index) {
    ColumnInfo column = columns.get(index);
    if (column == null) {
      column = parse(index);
      columns.set(index, column);
    }
    return column;
  }

  private ColumnInfo parse(int index) {
    ColumnMetadata message;
    try {
      message =
          ColumnMetadata.parseFrom(columnBytes.slice(columnStarts[index], columnSizes[index]));
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(path, -1, "unreadable metadata of column " + index, e);
    }
    List<PageInfo> pages = new ArrayList<>(message.getPagesCount());
    long row = 0;
    for (int i = 0; i < message.getPagesCount(); i++) {
      ColumnMetadata.Page page = message.getPages(i);
      check(page, index, i);
      pages.add(new PageInfo(path, index, i, page, row));
      row += page.getLength();
      if (page.getLength() < 0 || row < 0) {
        throw new CorruptFileException(
            path, -1, String.format("page %d of column %d has no sensible length", i, index));
      }
    }
    return new ColumnInfo(index, message, List.copyOf(pages), row);
  }

  private void check(ColumnMetadata.Page page, int column, int index) {
    String what = "page " + index + " of column " + column;
    if (page.getBufferOffsetsCount() != page.getBufferSizesCount()) {
      throw new CorruptFileException(
          path,
          -1,
          String.format(
              "%s has %d buffer offsets but %d sizes",
              what, page.getBufferOffsetsCount(), page.getBufferSizesCount()));
    }
    for (int b = 0; b < page.getBufferOffsetsCount(); b++) {
      checkInside(
          page.getBufferOffsets(b),
          page.getBufferSizes(b),
          fileSize,
          "buffer " + b + " of " + what);
    }
  }
}
